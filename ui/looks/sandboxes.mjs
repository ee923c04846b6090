/** Views of sandboxes that are not the usual one, and of the images that they start from. */
import { sample, trouble, go, inSight } from "./steps.mjs";

const provider = async (page) => {
  await page.getByRole("radio", { name: "A provider’s containers" }).click();
  await page.getByRole("button", { name: "Not now" }).waitFor();
};

const answers = (page) => page.getByRole("button", { name: "Not now" }).scrollIntoViewIfNeeded();

const packages = (text) => async (page) => {
  await page.getByRole("textbox", { name: "Extra packages" }).fill(text);
  await page.keyboard.press("Enter");
};

export const sandboxScenes = [
  {
    name: "hosted-warning",
    query: "pace=20",
    steps: [go("Settings"), provider, inSight("Where code runs")],
  },
  { name: "hosted-warning-below", query: "pace=20", steps: [go("Settings"), provider, answers] },
  {
    name: "hosted-settings",
    query: "sandbox=hosted&consent=given&pace=20",
    steps: [
      go("Settings"),
      (page) => page.getByRole("region", { name: "The provider" }).waitFor(),
      inSight("Sandbox"),
    ],
  },
  { name: "hosted-desk", query: "sandbox=hosted&consent=given&model=openai", steps: [sample] },
  { name: "hosted-desk-unasked", query: "sandbox=hosted&pace=20", steps: [sample] },
  { name: "trouble-consent", query: "sandbox=hosted&pace=20", steps: [trouble] },
  {
    name: "images",
    query: "images=old&pace=20",
    steps: [
      go("Settings"),
      (page) => page.getByText("assay-sandbox:1").waitFor(),
      inSight("Images"),
    ],
  },
  {
    name: "images-making",
    query: "pace=400",
    steps: [
      go("Settings"),
      packages("humanize, seaborn==0.13.2"),
      (page) => page.getByLabel("Progress").waitFor(),
      (page) => page.waitForTimeout(1000),
      (page) => page.getByLabel("Progress").scrollIntoViewIfNeeded(),
    ],
  },
  {
    name: "images-fetched",
    query: "pace=5",
    steps: [
      go("Settings"),
      (page) => page.getByText("Fetch or load an image").click(),
      go("Load from a file"),
      (page) => page.getByText("is there.").waitFor(),
      (page) => page.getByText("is there.").scrollIntoViewIfNeeded(),
    ],
  },
  {
    name: "images-remove",
    query: "images=old&pace=5",
    steps: [
      go("Settings"),
      (page) => page.getByRole("button", { name: /^Remove old images/ }).click(),
      (page) => page.getByRole("dialog").waitFor(),
    ],
  },
];
