/** Every view worth a look, and how a person gets there. `query` sets the practice host's scene. */

const sample = async (page) => {
  await page.getByRole("button", { name: "the building energy sample" }).click();
  await page.getByText("Seen at a glance").waitFor();
};

const trouble = async (page) => {
  await sample(page);
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(400);
};

const go = (name) => (page) => page.getByRole("button", { name, exact: true }).click();

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
    name: "desk-choice",
    query: "",
    steps: [
      sample,
      (page) => page.getByRole("button", { name: /Runs in/ }).click(),
      (page) => page.getByRole("radio", { name: "A language model" }).click(),
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
    name: "result",
    query: "",
    steps: [
      (page) => page.getByText("Energy 2025", { exact: false }).first().click(),
      (page) => page.waitForTimeout(800),
    ],
  },
];
