/** Views of language models: connecting one, working with one, and what it was sent. */
import { sample, go, result, ended, offers, withKey, inSight, sent } from "./steps.mjs";

export const modelScenes = [
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
    name: "figures",
    query: "",
    steps: [result, go("All 68 figures found"), (page) => page.getByRole("dialog").waitFor()],
  },
  {
    name: "figures-missing",
    query: "figures=unfounded",
    steps: [
      result,
      go("64 of 68 figures found, 4 not"),
      (page) => page.getByRole("dialog").waitFor(),
    ],
  },
  {
    name: "figures-step",
    query: "",
    steps: [
      result,
      go("All 68 figures found"),
      go("Open step 1"),
      (page) => page.getByRole("dialog", { name: /./ }).waitFor(),
    ],
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
];
