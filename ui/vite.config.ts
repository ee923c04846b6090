import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/**
 * Lets the packages that draw charts run where `Object.prototype` is frozen, as it is in the window: there a
 * plain assignment of `toString` or `constructor` to an object that inherits it fails. It is made first instead.
 */
const frozenPrototypes = {
  name: "frozen-prototypes",
  transform(code: string, id: string) {
    if (!/node_modules\/(d3-|vega)/.test(id)) return null;
    const open = "{ configurable: true, enumerable: true, writable: true, value: undefined }";
    const mended = code
      .replace(
        /^(\s*)([\w.]+)\.(toString|constructor) = /gm,
        (whole, indent: string, object: string, name: string) =>
          `${indent}Object.defineProperty(${object}, "${name}", ${open});\n${whole}`,
      )
      // Here the names of functions are assigned, one of which is `toString`.
      .replace(
        "const fn = functions(codegen);",
        `$&\n  Object.defineProperty(fn, "toString", ${open});`,
      );
    return mended === code ? null : mended;
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), frozenPrototypes],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: "es2022",
    // The content policy of the window allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    // What draws interactive charts is that large, and is loaded only with one.
    chunkSizeWarningLimit: 900,
    // The module preload shim would be needed by no web view the app runs in.
    modulePreload: { polyfill: false },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/test-setup.ts"],
    css: false,
    // Whole-window tests share two slow cores in CI.
    testTimeout: 20_000,
  },
});
