import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Forbids imports that climb: shared <- api <- features <- app. */
const border = (files, forbidden, why) => ({
  files: [files],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: forbidden, message: why },
          { group: ["@tauri-apps/*"], message: "Only platform/ talks to the shell." },
        ],
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/generated"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  hooks.configs.flat["recommended-latest"],
  {
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Text from files and models is never markup.",
        },
      ],
      "max-lines": ["error", 400],
      // The React compiler is not used, so nothing is memoised behind a virtualizer's back.
      "react-hooks/incompatible-library": "off",
    },
  },
  {
    files: ["**/*.tsx"],
    ignores: ["**/*.test.tsx"],
    rules: { "max-lines": ["error", 200] },
  },
  {
    // These run in Node and reach into the page of a browser.
    files: ["looks/**"],
    languageOptions: {
      globals: Object.fromEntries(
        ["URL", "console", "document", "process", "window"].map((name) => [name, "readonly"]),
      ),
    },
  },
  border(
    "src/shared/**",
    ["**/features/**", "**/app/**", "**/platform", "**/platform/**"],
    "shared/ knows no feature, no view and no platform.",
  ),
  border(
    "src/api/**",
    ["**/features/**", "**/app/**", "**/shared/**"],
    "api/ knows only platform/.",
  ),
  border(
    "src/features/**",
    ["**/app/**", "**/platform/**"],
    "features/ call the shell through api/.",
  ),
  border("src/app/**", ["**/platform/**"], "Views call the shell through api/."),
  {
    // A test may put a practice host in the place of the shell.
    files: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["src/platform/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: ["**/features/**", "**/app/**"], message: "platform/ is the lowest layer." },
          ],
        },
      ],
    },
  },
);
