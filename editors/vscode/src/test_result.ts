// What `phobos test --json` prints of one run line.

import { list_of, number_of, object_of, parse_object, string_of } from "./json";

export interface TestResult {
  status: "ok" | "failed" | "error";
  message: string;
  ms: number | undefined;
}

/** Undefined: the text is no such document, or has not exactly one test. */
export function parse_test_result(text: string): TestResult | undefined {
  const document = parse_object(text);
  const tests = list_of(document?.["tests"], object_of);
  const [test] = tests;
  if (test === undefined || tests.length !== 1) return undefined;
  const status = string_of(test["status"]);
  return {
    status: status === "ok" || status === "failed" ? status : "error",
    message: string_of(test["message"]),
    ms: test["ms"] === null ? undefined : number_of(test["ms"]),
  };
}
