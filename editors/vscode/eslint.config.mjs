import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist/**", "node_modules/**"] },
  {
    files: ["src/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/naming-convention": [
        "error",
        { selector: "variableLike", format: ["snake_case"], leadingUnderscore: "allow" },
        // Names that others gave: destructured fields, shorthands of the protocol, what the browser declares.
        { selector: "variableLike", filter: "^(exitCode|signalCode|textDocument|oldState|newState|contentChanges|acquireVsCodeApi|runLine)$", format: null },
        { selector: "typeLike", format: ["PascalCase"] },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/dot-notation": "off",
      "@typescript-eslint/consistent-type-definitions": "off",
      eqeqeq: "error",
      "no-console": "error",
    },
  },
);
