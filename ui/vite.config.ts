import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: "es2022",
    // The content policy of the window allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
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
