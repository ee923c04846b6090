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

const tab = (name) => async (page) => {
  await page.getByRole("tab", { name }).click();
  await page.waitForTimeout(500);
};

const result = async (page) => {
  await page.getByText("Energy 2025", { exact: false }).first().click();
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(600);
};

const chart = async (page) => {
  await tab("Charts")(page);
  await go("Unusual periods")(page);
  await page.waitForTimeout(400);
};

/** A run of its own that ends in the way that the scene's address says. */
const ended = async (page) => {
  await sample(page);
  await go("Analyse")(page);
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(400);
};

const large = async (page) => {
  await page.getByText("A large run").first().click();
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(800);
};

/** Leads to what there is to connect. */
const offers = async (page) => {
  await page.getByRole("radio", { name: "A language model" }).click();
  await page.getByText("Found on this computer").waitFor();
};

const withKey = (key) => async (page) => {
  const field = page.getByLabel("Key", { exact: true });
  await field.fill(key);
  await field.press("Enter");
};

/** Brings a text to the head of the page. */
const inSight = (text) => (page) =>
  page
    .getByText(text, { exact: true })
    .first()
    .evaluate((found) => found.scrollIntoView());

/** Opens what was sent, of a run of an earlier day. */
const sent = (run) => async (page) => {
  await go("History")(page);
  await page.getByText(run).first().click();
  await page.getByRole("button", { name: /request/ }).click();
  await page.getByRole("region", { name: "Text of request 1" }).waitFor();
  await page.waitForTimeout(300);
};

/** Lets the window believe that so many seconds have gone by. */
const later = (seconds) => (page) =>
  page.evaluate((ms) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  }, seconds * 1000);

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
  {
    name: "desk-choice",
    query: "",
    steps: [sample, (page) => page.getByRole("button", { name: /Runs in/ }).click(), offers],
  },
  {
    name: "desk-connected",
    query: "model=ollama",
    steps: [sample, (page) => page.getByRole("button", { name: /Runs in/ }).click()],
  },
  { name: "settings", query: "", steps: [go("Settings")] },
  {
    name: "settings-below",
    query: "model=openai",
    steps: [go("Settings"), inSight("Limits of a question")],
  },
  { name: "connect-offers", query: "", steps: [go("Settings"), offers, inSight("Who thinks")] },
  {
    name: "connect-no-local",
    query: "local=none",
    steps: [go("Settings"), offers, inSight("Who thinks")],
  },
  {
    name: "connect-key",
    query: "keychain=none",
    steps: [
      go("Settings"),
      offers,
      go("OpenAI"),
      (page) => page.getByLabel("Key", { exact: true }).fill("secret"),
      inSight("OpenAI"),
    ],
  },
  {
    name: "connect-list",
    query: "pace=50",
    steps: [
      go("Settings"),
      offers,
      go("OpenRouter"),
      withKey("secret"),
      (page) => page.getByRole("combobox", { name: "Model" }).fill("maker-3"),
      (page) => page.getByRole("option").first().waitFor(),
      (page) => page.keyboard.press("ArrowDown"),
      (page) => page.getByRole("listbox").scrollIntoViewIfNeeded(),
    ],
  },
  {
    name: "connect-wrong-key",
    query: "pace=50",
    steps: [
      go("Settings"),
      offers,
      go("OpenAI"),
      withKey("wrong"),
      (page) => page.getByText("does not accept the key").waitFor(),
      (page) => page.getByText("does not accept the key").scrollIntoViewIfNeeded(),
    ],
  },
  {
    name: "connect-advanced",
    query: "model=openai&pace=50",
    steps: [
      go("Settings"),
      go("Change the model"),
      (page) => page.getByText("Advanced", { exact: true }).click(),
      inSight("Advanced"),
    ],
  },
  {
    name: "connected-testing",
    query: "model=openai&test=endless&pace=50",
    steps: [
      go("Settings"),
      go("Test the connection"),
      (page) => page.waitForTimeout(1200),
      inSight("Who thinks"),
    ],
  },
  ...["good", "weak", "wrong_key"].map((test) => ({
    name: `connected-${test}`,
    query: `model=${test === "weak" ? "ollama" : "openai"}&test=${test}&pace=5`,
    steps: [
      go("Settings"),
      go("Test the connection"),
      (page) => page.getByRole("button", { name: "Test it again" }).waitFor(),
      inSight("Who thinks"),
    ],
  })),
  {
    name: "desk-rows",
    query: "model=openai",
    steps: [
      sample,
      (page) => page.getByRole("switch", { name: "Keep my rows on this computer" }).click(),
    ],
  },
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
  {
    name: "run-question",
    query: "end=question&pace=5",
    steps: [
      sample,
      go("Analyse"),
      (page) => page.getByRole("group", { name: /Which energy use is unusual/ }).waitFor(),
    ],
  },
  {
    name: "run-waiting",
    query: "end=waiting&pace=5&model=openai",
    steps: [sample, go("Analyse"), (page) => page.getByText("It is asked again").waitFor()],
  },
  {
    name: "run-helped",
    query: "end=helped&pace=5&model=ollama",
    steps: [
      sample,
      go("Analyse"),
      (page) => page.getByText("shortened").waitFor(),
      (page) => page.getByRole("button", { name: /^Adding up by month/ }).click(),
    ],
  },
  { name: "sent-rows", query: "", steps: [sent("Staff survey")] },
  { name: "sent-kept", query: "", steps: [sent("Which regions differ")] },
  {
    name: "sent-nothing",
    query: "",
    steps: [result, go("Nothing left this computer"), (page) => page.getByRole("dialog").waitFor()],
  },
  {
    name: "sent-long",
    query: "sent=8000&pace=5",
    steps: [
      sent("Staff survey"),
      (page) =>
        page
          .getByRole("region", { name: "Text of request 1" })
          .evaluate((box) => box.scrollTo(0, 200_000)),
      (page) => page.waitForTimeout(500),
    ],
  },
  {
    name: "end-nearby",
    query: "end=restarted&pace=5&model=ollama",
    steps: [ended],
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
      (page) => page.getByText("NameError").click(),
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
    name: "result-exported",
    query: "",
    steps: [result, go("Export"), (page) => page.getByRole("menuitem").first().click()],
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
];
