/** Views of what a run is taken along to: files, the clipboard, another run on a new file. */
import { doneAgain, go, result, tab } from "./steps.mjs";

export const alongScenes = [
  {
    name: "result-export-menu",
    query: "",
    steps: [result, go("Export"), (page) => page.getByRole("menuitem").nth(1).hover()],
  },
  {
    name: "result-export-menu-end",
    query: "",
    steps: [
      result,
      go("Export"),
      (page) => page.keyboard.press("End"),
      (page) => page.waitForTimeout(200),
    ],
  },
  {
    name: "result-exporting",
    query: "pace=3000",
    steps: [
      result,
      go("Export"),
      (page) => page.getByRole("menuitem").first().click(),
      (page) => page.getByText("Exporting").waitFor(),
    ],
  },
  {
    name: "result-exported",
    query: "pace=5",
    steps: [
      result,
      go("Export"),
      (page) => page.getByRole("menuitem", { name: /^Excel workbook/ }).click(),
      (page) => page.getByText("Saved as").waitFor(),
    ],
  },
  {
    name: "result-tables-copied",
    query: "",
    steps: [
      result,
      tab("Tables"),
      go("Copy"),
      (page) => page.getByText(/Copied|could not copy/).waitFor(),
    ],
  },
  {
    name: "again-columns",
    query: "files=year&pace=5",
    steps: [
      result,
      go("Run again on a new file"),
      (page) => page.getByRole("dialog").waitFor(),
      (page) => page.waitForTimeout(300),
    ],
  },
  {
    name: "again-refused",
    query: "pace=5&engine=stopped",
    steps: [
      result,
      go("Run again on a new file"),
      (page) => page.getByRole("dialog").waitFor(),
      (page) => page.waitForTimeout(300),
    ],
  },
  { name: "again-result", query: "pace=5", steps: [doneAgain] },
  {
    name: "again-changed",
    query: "pace=5",
    steps: [doneAgain, (page) => page.getByRole("button", { name: /figures changed/ }).click()],
  },
  {
    name: "again-changed-end",
    query: "pace=5",
    steps: [
      doneAgain,
      tab("What changed"),
      (page) => page.getByText("19 figures are as before").click(),
      (page) => page.getByText("silence.csv").evaluate((cell) => cell.scrollIntoView()),
    ],
  },
];
