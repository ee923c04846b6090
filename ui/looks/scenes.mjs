/** Every view worth a look, and how a person gets there. `query` sets the practice host's scene. */
import { alongScenes } from "./along.mjs";
import { modelScenes } from "./models.mjs";
import { sandboxScenes } from "./sandboxes.mjs";
import {
  sample,
  trouble,
  go,
  tab,
  result,
  chart,
  interactive,
  ended,
  large,
  later,
  note,
} from "./steps.mjs";

export const scenes = [
  { name: "home", query: "", steps: [(page) => page.getByText("Recent").waitFor()] },
  { name: "home-first", query: "runs=none", steps: [] },
  {
    name: "home-drag",
    query: "",
    steps: [(page) => page.evaluate(() => window.practice.tell("drag-state", "over"))],
  },
  {
    name: "home-refused",
    query: "",
    steps: [
      (page) =>
        page.evaluate(() =>
          window.practice.tell("files-added", {
            files: [],
            problems: [
              {
                code: "input",
                message: "“Holiday pictures” is a folder.",
                hint: "Drop the files inside it instead.",
                detail: "",
              },
            ],
          }),
        ),
    ],
  },
  { name: "desk", query: "", steps: [sample] },
  {
    name: "desk-two-files",
    query: "",
    steps: [
      go("Choose files"),
      go("survey_2024_all_answers.xlsx"),
      (page) => page.getByText("Each row is one respondent").waitFor(),
    ],
  },
  {
    name: "desk-long-name",
    query: "files=long",
    steps: [go("Choose files"), (page) => page.getByText("Seen at a glance").waitFor()],
  },
  {
    name: "desk-left-out",
    query: "",
    steps: [
      sample,
      (page) => page.getByRole("radio", { name: /Leave the 12 repeats out/ }).click(),
    ],
  },
  {
    name: "desk-unread",
    query: "files=broken",
    steps: [
      go("Choose files"),
      (page) => page.getByRole("button", { name: "Read it again" }).waitFor(),
    ],
  },
  { name: "settings", query: "", steps: [go("Settings")] },
  { name: "trouble-missing", query: "engine=missing", steps: [trouble] },
  { name: "trouble-forbidden", query: "engine=forbidden", steps: [trouble] },
  { name: "trouble-stopped", query: "engine=stopped", steps: [trouble] },
  { name: "trouble-image", query: "image=missing", steps: [trouble] },
  {
    name: "trouble-image-making",
    query: "image=missing",
    steps: [trouble, go("Make the sandbox"), (page) => page.waitForTimeout(1500)],
  },
  {
    name: "quit",
    query: "",
    steps: [(page) => page.evaluate(() => window.practice.tell("quit-asked", null))],
  },
  { name: "history", query: "", steps: [go("History"), (page) => page.waitForTimeout(500)] },
  {
    name: "run",
    query: "pace=400",
    steps: [sample, go("Analyse"), (page) => page.waitForTimeout(4000)],
  },
  {
    name: "run-step",
    query: "pace=120",
    steps: [
      sample,
      go("Analyse"),
      (page) => page.getByRole("button", { name: /^Checking for faulty readings/ }).click(),
    ],
  },
  {
    name: "run-silent",
    query: "end=silent&pace=5",
    steps: [
      sample,
      go("Analyse"),
      (page) => page.getByRole("button", { name: /^Learning the usual/ }).waitFor(),
      later(95),
      (page) => page.waitForTimeout(1100),
    ],
  },
  {
    name: "run-report",
    query: "pace=30",
    steps: [
      sample,
      go("Analyse"),
      (page) => page.getByText("Unusual energy use").first().waitFor(),
    ],
  },
  {
    name: "run-follow-up",
    query: "pace=40",
    steps: [
      result,
      (page) => page.getByLabel("Ask further").fill("What about the weekends?"),
      go("Ask"),
      (page) => page.getByRole("heading", { level: 2, name: "What about the weekends?" }).waitFor(),
      (page) => page.getByLabel("Ask further").scrollIntoViewIfNeeded(),
    ],
  },
  ...["stuck", "memory", "time", "failed", "restarted", "paused"].map((end) => ({
    name: `end-${end}`,
    query: `end=${end}&pace=5`,
    steps: [ended],
  })),
  {
    name: "end-restarted-how",
    query: "end=restarted&pace=5",
    steps: [ended, tab("How this was worked out")],
  },
  {
    name: "end-refused",
    query: "engine=stopped",
    steps: [
      go("History"),
      (page) => page.getByText("Which regions differ").first().click(),
      go("Continue"),
      (page) => page.getByRole("dialog").waitFor(),
      (page) => page.waitForTimeout(400),
    ],
  },
  { name: "result", query: "", steps: [result] },
  { name: "result-large", query: "steps=1000&charts=100", steps: [large] },
  {
    name: "result-large-how",
    query: "steps=1000&charts=100",
    steps: [large, tab("How this was worked out")],
  },
  {
    name: "result-table",
    query: "",
    steps: [
      result,
      (page) => page.getByText("The events").evaluate((heading) => heading.scrollIntoView()),
    ],
  },
  {
    name: "result-end",
    query: "",
    steps: [result, (page) => page.getByRole("button", { name: "Ask" }).scrollIntoViewIfNeeded()],
  },
  { name: "note-found", query: "", steps: [result, note("36")] },
  { name: "note-derived", query: "", steps: [result, note("+217 %")] },
  { name: "note-missing", query: "figures=unfounded", steps: [result, note("45.3, not found")] },
  {
    name: "note-step",
    query: "",
    steps: [
      result,
      note("36"),
      go("Open step 2"),
      (page) => page.getByRole("dialog").locator("mark").waitFor(),
    ],
  },
  {
    name: "note-rtl",
    query: "report=parts",
    steps: [
      result,
      (page) =>
        page.getByText("الاستهلاك في الشتاء").evaluate((heading) => heading.scrollIntoView()),
      (page) => page.getByRole("button", { name: "36" }).nth(1).click(),
      (page) => page.getByRole("dialog").waitFor(),
    ],
  },
  { name: "parts", query: "report=parts", steps: [result] },
  {
    name: "parts-end",
    query: "report=parts",
    steps: [
      result,
      (page) => page.getByText("The table", { exact: true }).evaluate((at) => at.scrollIntoView()),
    ],
  },
  { name: "result-charts", query: "", steps: [result, tab("Charts")] },
  { name: "result-chart", query: "", steps: [result, chart] },
  {
    name: "result-chart-large",
    query: "",
    steps: [
      result,
      chart,
      (page) => page.keyboard.type("++++"),
      go("Save as"),
      (page) => page.getByText("Saved as").waitFor(),
    ],
  },
  { name: "result-chart-interactive", query: "", steps: [result, interactive] },
  {
    name: "result-chart-zoomed",
    query: "",
    steps: [
      result,
      interactive,
      (page) => page.mouse.wheel(0, -400),
      (page) => page.waitForTimeout(400),
    ],
  },
  {
    name: "result-chart-versions",
    query: "pace=5",
    steps: [
      result,
      (page) => page.getByLabel("Ask further").fill("What about the weekends?"),
      go("Ask"),
      (page) => page.getByText("On weekends two of the seven").waitFor(),
      tab("Charts"),
      (page) => page.getByRole("button", { name: /^Unusual periods/ }).click(),
      go("v1"),
      (page) => page.waitForTimeout(400),
    ],
  },
  { name: "result-tables", query: "", steps: [result, tab("Tables")] },
  {
    name: "result-tables-none",
    query: "",
    steps: [
      result,
      tab("Tables"),
      (page) => page.getByRole("searchbox").fill("zebra"),
      (page) => page.waitForTimeout(400),
    ],
  },
  {
    name: "result-tables-wide",
    query: "columns=60",
    steps: [
      result,
      tab("Tables"),
      (page) => page.getByRole("table").evaluate((table) => table.scrollBy(4000, 300)),
      (page) => page.waitForTimeout(400),
    ],
  },
  { name: "result-files", query: "", steps: [result, tab("Files")] },
  { name: "result-how", query: "", steps: [result, tab("How this was worked out")] },
  {
    name: "result-how-step",
    query: "",
    steps: [
      result,
      tab("How this was worked out"),
      (page) => page.getByRole("button", { name: /^Reading the file/ }).click(),
      (page) => page.getByRole("button", { name: /^Comparing with the usual/ }).click(),
      (page) => page.getByText("NameError").first().click(),
    ],
  },
  {
    name: "result-step",
    query: "",
    steps: [
      result,
      (page) => page.getByRole("toolbar").getByRole("button").nth(3).click({ force: true }),
      (page) => page.waitForTimeout(400),
    ],
  },
  {
    name: "result-interrupted",
    query: "",
    steps: [
      go("History"),
      (page) =>
        page
          .getByRole("listitem")
          .filter({ hasText: "Interrupted" })
          .locator("button")
          .first()
          .click(),
      (page) => page.waitForTimeout(600),
    ],
  },
  {
    name: "history-delete",
    query: "",
    steps: [
      go("History"),
      (page) =>
        page
          .getByRole("button", { name: /^Delete/ })
          .first()
          .click(),
      (page) => page.waitForTimeout(300),
    ],
  },
  {
    name: "history-empty",
    query: "runs=none",
    steps: [go("History"), (page) => page.getByText("Nothing has been asked yet.").waitFor()],
  },
  ...alongScenes,
  ...sandboxScenes,
  ...modelScenes,
];
