#include <phobos/session/fixes.h>

#include <algorithm>
#include <map>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace phobos;
using namespace phobos::session;

namespace {

// Whole programs, or statements of a kernel with the usual parameters.
const std::vector<std::string> programs = {
    "if n > 3 {\n    I[0] = 1\n  else {\n    I[0] = 2\n  }",
    "for i in range 0, 4 { I[i] = 1 }\n  O[0, 0] = f",
    "let t = A[0 :, 0 :+ 4]\n  O[0 :+ 4, 0 :+ 4] = t",
    "let x = A[0,]\n  O[0, 0] = f",
    "let x = A[0::16, 0]\n  O[0, 0] = f",
    "let t = dot(A[0 :+ 16, 0 :+ 16], B[0 :+ 8, 0 :+ 16])\n  O[0 :+ 16, 0 :+ 16] = t",
    "let x = any<over ctx.lane>(f)\n  O[0, 0] = x",
    "let x = !n\n  I[0] = x",
    "let x = !n + 1\n  I[0] = x",
    "let x = A.sum()\n  O[0, 0] = x",
    "O[0 :+ 16, 0 :+ 1] = tl.sum(A[0 :+ 16, 0 :+ 16], 1)",
    "let a = A[0 :+ 4, 0 :+ 4]\n  let x = sum(a)\n  O[0, 0] = x",
    "let m = max(A[0, 0 :+ 4], A[0, 4 :+ 4])\n  O[0, 0] = m",
    "exp(f) = 3\n  O[0, 0] = f",
    "let x-y = 3\n  O[0, 0] = f",
    "var x = n\n  x--\n  --x\n  I[0] = x",
    "O[0, 0] &&= true",
    "O[0, 0] ||= f",
    "O[0, 0] += true",
    "O[0, 0] <<= 1",
    "atomic_sub(I, 0, n)",
    "O[0, 0] = f ** 2.0 ** 3.0",
    "O[0, 0] = __shfl_xor_sync(0xffffffff, f, 1, 16)",
    "var t = 0\n  t += 1.5\n  O[0, 0] = t",
    "var best = 0\n  for k in range(0, 4) {\n    best = tmax(best, A[0, k])\n  }\n  O[0, 0] = best",
    "fn helper(x: f32) { }\n  O[0, 0] = f",
    "kernel k(O: float*, f: f32) {\n  O[0, 0] = f\n}\n",
    "kernel k(O: tensor<f32>[], f: f32) {\n  O[0, 0] = f\n}\n",
    "kernel k(O: &f32, f: f32) {\n  O[0, 0] = f\n}\n",
    "kernel k(O: tensor<f32>[M, N], f: index) {\n  O[0, 0] = f\n}\n",
    "kernel k(O: tensor<f32>[M; N], f: f32) {\n  O[0, 0] = f\n}\n",
    "@autotune(T iin [16, 32])\nkernel k(A: tensor<f32>[M, K], O: tensor<f32>[M, K]) {\n  O[0 :+ T, 0 :+ T] = A[0 :+ T, 0 :+ T]\n}\n",
    "fn g(x: f32)) -> f32 { return x }\nkernel k(O: tensor<f32>[M, K]) {\n  O[0, 0] = g(1.0)\n}\n",
    "fn g(x: f32 -> f32 { return x }\nkernel k(O: tensor<f32>[M, K]) {\n  O[0, 0] = g(1.0)\n}\n",
    "fn g(i: i64, j: i64, s: f32) -> f32 { return f32(i + j) * s }\nkernel k(O: tensor<f32>[M, N]) {\n  let t: tile<f32>[4, 4] = generate(g, ctx.thread)\n  O[0 :+ 4, 0 :+ 4] = t\n}\n",
};

std::string whole(const std::string& program) {
  if (program.find("kernel k(") != std::string::npos) return program;
  return "@launch(128)\nkernel k(A: tensor<f32>[M, K], B: tensor<f16>[K, N], O: tensor<f32>[M, N], I: tensor<i32>[N], n: i32, f: f32) {\n  " + program + "\n}\n";
}

std::map<std::string, int> errors_of(const std::vector<diag::Diagnostic>& found) {
  std::map<std::string, int> errors;
  for (const diag::Diagnostic& each : found)
    if (each.severity == diag::Severity::Error) ++errors[each.message];
  return errors;
}

std::vector<diag::Diagnostic> diagnostics_of(const std::string& text) { return Session(text).snapshot()->diagnostics(); }

std::string applied(std::string text, const diag::Fix& fix) {
  std::vector<diag::TextEdit> edits = fix.edits;
  std::stable_sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.location.span.begin < b.location.span.begin; });
  for (std::size_t i = edits.size(); i-- > 0;) text.replace(edits[i].location.span.begin, edits[i].location.span.size(), edits[i].text);
  return text;
}

std::vector<std::string> titles(const std::string& text) {
  const auto snapshot = Session(text).snapshot();
  std::vector<diag::Diagnostic> found = snapshot->diagnostics();
  drop_fixes_that_fail(*snapshot, found);
  std::vector<std::string> result;
  for (const auto& each : found)
    for (const diag::Fix& fix : each.fixes) result.push_back(fix.title);
  return result;
}

}  // namespace

TEST_CASE("no offered fix leaves its error or brings another") {
  for (const std::string& program : programs) {
    const std::string text = whole(program);
    CAPTURE(text);
    const auto snapshot = Session(text).snapshot();
    std::vector<diag::Diagnostic> found = snapshot->diagnostics();
    const auto before = errors_of(found);
    drop_fixes_that_fail(*snapshot, found);
    for (const diag::Diagnostic& each : found)
      for (const diag::Fix& fix : each.fixes) {
        CAPTURE(fix.title);
        const auto after = errors_of(diagnostics_of(applied(text, fix)));
        const auto left = after.find(each.message);
        if (each.severity == diag::Severity::Error) CHECK((left == after.end() ? 0 : left->second) < before.at(each.message));
        for (const auto& [message, count] : after) {
          CAPTURE(message);
          CHECK(count <= (before.contains(message) ? before.at(message) : 0));
        }
      }
  }
}

TEST_CASE("a fix that holds is kept, and one that fails elsewhere in the file is not") {
  const std::string function = "fn twice(x: f32) {\n  return 2.0 * x\n}\n";
  CHECK(titles(function) == std::vector<std::string>{"Declare the result `f32`"});
  // With a result its caller is right; a caller that uses the result otherwise stays as wrong as it was.
  CHECK(titles(function + "kernel k(O: tensor<f32>[N]) {\n  O[0] = twice(1.0)\n}\n") == std::vector<std::string>{"Declare the result `f32`"});
  const std::string moved = "kernel k(O: tensor<f32>[N]) {\n  fn g(x: f32) -> f32 { return x }\n  O[0] = 1.0\n}\n";
  CHECK(titles(moved) == std::vector<std::string>{"Move it out of the body"});
  CHECK(titles("fn g(y: f32) -> f32 { return y }\n" + moved).empty());  // the name would be defined twice
}

TEST_CASE("what is tried is bounded") {
  std::string text = "kernel k(O: tensor<f32>[N]) {\n";
  const std::size_t count = most_tried_fixes + 20;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("  let a{} = truee\n  if a{} {{ O[0] = 1.0 }}\n", i, i);
  CHECK(titles(text + "}\n").size() <= most_tried_fixes);
}
