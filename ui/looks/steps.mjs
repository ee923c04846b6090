/** What a person does to come to a view. */

export const sample = async (page) => {
  await page.getByRole("button", { name: "the building energy sample" }).click();
  await page.getByText("Seen at a glance").waitFor();
};

export const trouble = async (page) => {
  await sample(page);
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(400);
};

export const go = (name) => (page) => page.getByRole("button", { name, exact: true }).click();

export const tab = (name) => async (page) => {
  await page.getByRole("tab", { name }).click();
  await page.waitForTimeout(500);
};

export const result = async (page) => {
  await page.getByText("Energy 2025", { exact: false }).first().click();
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(600);
};

/** A past run that does an earlier one again. */
export const doneAgain = async (page) => {
  await page.getByText("Energy 2026", { exact: false }).first().click();
  await page.getByText("figures changed").waitFor();
  await page.waitForTimeout(400);
};

export const chart = async (page) => {
  await tab("Charts")(page);
  await go("Unusual periods")(page);
  await page.waitForTimeout(400);
};

/** Opens a chart that answers, and lets the pointer rest on one of its values. */
export const interactive = async (page) => {
  await tab("Charts")(page);
  await page.getByRole("button", { name: /^Event 1/ }).click();
  const drawn = page.getByRole("region", { name: "Interactive chart" }).locator("canvas");
  await drawn.waitFor();
  const { x, y, width, height } = await drawn.boundingBox();
  for (let across = 0.4; across < 0.6; across += 0.005) {
    await page.mouse.move(x + width * across, y + height * 0.35);
    if (await page.getByRole("tooltip").isVisible()) return;
    for (let down = 0.1; down < 0.9; down += 0.03) {
      await page.mouse.move(x + width * across, y + height * down);
      if (await page.getByRole("tooltip").isVisible()) return;
    }
  }
  throw new Error("No value was told.");
};

/** A run of its own that ends in the way that the scene's address says. */
export const ended = async (page) => {
  await sample(page);
  await go("Analyse")(page);
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(400);
};

export const large = async (page) => {
  await page.getByText("A large run").first().click();
  await page.getByRole("tab", { name: "Report" }).waitFor();
  await page.waitForTimeout(800);
};

/** Leads to what there is to connect. */
export const offers = async (page) => {
  await page.getByRole("radio", { name: "A language model" }).click();
  await page.getByText("Found on this computer").waitFor();
};

export const withKey = (key) => async (page) => {
  const field = page.getByLabel("Key", { exact: true });
  await field.fill(key);
  await field.press("Enter");
};

/** Brings a text to the head of the page. */
export const inSight = (text) => (page) =>
  page
    .getByText(text, { exact: true })
    .first()
    .evaluate((found) => found.scrollIntoView());

/** Opens what was sent, of a run of an earlier day. */
export const sent = (run) => async (page) => {
  await go("History")(page);
  await page.getByText(run).first().click();
  await page.getByRole("button", { name: /request/ }).click();
  await page.getByRole("region", { name: "Text of request 1" }).waitFor();
  await page.waitForTimeout(300);
};

/** Lets the window believe that so many seconds have gone by. */
export const later = (seconds) => (page) =>
  page.evaluate((ms) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  }, seconds * 1000);

/** Opens the note of a figure in the report. */
export const note = (name) => async (page) => {
  const mark = page.getByRole("article").first().getByRole("button", { name, exact: true }).first();
  await mark.evaluate((found) => found.scrollIntoView({ block: "center" }));
  await mark.click();
  await page.getByRole("dialog").waitFor();
};
