import "@fontsource-variable/source-sans-3";
import "@fontsource-variable/source-serif-4";
import "@fontsource-variable/source-code-pro";
import "./shared/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { openPlatform } from "./platform";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");

/** The letters of the first page: with them it is drawn once, not first with others. */
const letters = ["Source Sans 3 Variable", "Source Serif 4 Variable"];

await Promise.all([
  openPlatform(),
  ...letters.map((name) => document.fonts.load(`1em "${name}"`).catch(() => undefined)),
]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
