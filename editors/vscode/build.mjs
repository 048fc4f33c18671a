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
for (const view of ["result", "stepper", "hierarchy"]) {
  await build({ ...common, entryPoints: [`src/webview/${view}.ts`], outfile: `dist/${view}_view.js`, platform: "browser", format: "iife", target: "es2022" });
}
