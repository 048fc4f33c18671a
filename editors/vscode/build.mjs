import { build } from "esbuild";

const common = { bundle: true, minify: true, sourcemap: false, legalComments: "eof", logLevel: "warning" };

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
});
await build({ ...common, entryPoints: ["src/webview/result.ts"], outfile: "dist/result_view.js", platform: "browser", format: "iife", target: "es2022" });
