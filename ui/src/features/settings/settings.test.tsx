import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type {
  Connections,
  ListedModel,
  ModelSettings,
  Preset,
  Probe,
  Problem,
  RemoteModel,
  Settings,
} from "../../api";
import { setPlatform } from "../../platform";
import { settings as practice } from "../../platform/mock/profile";
import { moneyHint } from "./LimitChoice";
import { figureOf } from "./NumberField";
import { SettingsScreen } from "./SettingsScreen";
import { useSettings } from "./useSettings";
import { probeWords, sends, thinks } from "./words";

const remote = (base_url: string, part: Partial<RemoteModel> = {}): ModelSettings => ({
  kind: "remote",
  preset: "other",
  wire: "chat_completions",
  base_url,
  model: "small",
  images: false,
  tools: null,
  guidance: null,
  prices: null,
  key_place: null,
  key: null,
  ...part,
});

const preset = (id: string, name: string, part: Partial<Preset>): Preset => ({
  id,
  name,
  base_url: "",
  wire: "chat_completions",
  place: "anywhere",
  port: null,
  key_page: null,
  note: null,
  ...part,
});

const probe: Probe = {
  streams: true,
  tools: "calls",
  images: true,
  context_tokens: 10_900,
  first_piece_ms: 800,
};

const row = (name: string, part: Partial<ListedModel> = {}): ListedModel => ({
  name,
  context_tokens: null,
  price: null,
  ...part,
});

let kept: Settings;
let found: Connections;
let listed: ListedModel[] | Problem;
let answer: Promise<Probe>;
let refusal: Problem | null;
const calls: [string, Record<string, unknown>][] = [];
const called = (name: string) => calls.filter(([each]) => each === name).map(([, args]) => args);
const tested = () => called("test_model").at(-1)?.model as RemoteModel;
const saved = () => (called("save_settings").at(-1)?.settings as Settings).model as RemoteModel;

const wrongKey: Problem = {
  code: "model",
  message: "Wrong key.",
  hint: "Check it.",
  detail: "401",
};

beforeEach(() => {
  calls.length = 0;
  kept = practice;
  refusal = null;
  listed = [
    row("great", { context_tokens: 128_000, price: { input: 3, output: 15 } }),
    row("tiny"),
  ];
  answer = Promise.resolve(probe);
  found = {
    presets: [
      preset("openai", "OpenAI", {
        base_url: "https://api.openai.com/v1",
        wire: "responses",
        place: "hosted",
        key_page: "https://platform.openai.com/api-keys",
      }),
      preset("ollama", "Ollama", { base_url: "http://127.0.0.1:11434/v1", place: "local" }),
      preset("other", "Another server", {}),
    ],
    key_places: ["keychain", "session", "file"],
    local: [{ preset: "ollama", base_url: "http://127.0.0.1:11434/v1", models: [row("llama3.2")] }],
  };
  setPlatform({
    async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      calls.push([name, args]);
      if (name === "save_settings") {
        if (refusal !== null) throw refusal;
        const next = args.settings as Settings;
        kept =
          next.model.kind === "remote"
            ? {
                ...next,
                model: {
                  ...next.model,
                  key: null,
                  ...(next.model.key === "" && { key_place: null }),
                },
              }
            : next;
      }
      if (name === "list_models" && "code" in listed) throw listed;
      const answers: Record<string, unknown> = {
        settings: kept,
        connections: found,
        list_models: listed,
        test_model: name === "test_model" ? await answer : null,
      };
      return (answers[name] ?? null) as Answer;
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

function Page() {
  return <SettingsScreen settings={useSettings()} machine={null} version="1" />;
}

async function connect(name?: string) {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(await screen.findByRole("radio", { name: "A language model" }));
  await screen.findByRole("heading", { name: "Found on this computer" });
  if (name !== undefined) await user.click(screen.getByRole("button", { name }));
  return user;
}

test("names what thinks, and where", () => {
  expect(thinks({ kind: "built_in" })).toBe("built-in analyst (no AI)");
  expect(thinks(remote("http://127.0.0.1:8080/v1"))).toBe("small at 127.0.0.1:8080");
  expect(thinks(remote("not an address"))).toBe("small, address missing");
});

test("says what leaves this computer, and that nothing does with a model on it", () => {
  expect(sends(remote("http://localhost:8080/v1"), "shown")).toContain("runs on this computer");
  const far = remote("https://localhost.example.org/v1");
  expect(sends(far, "shown")).toContain("Sent to localhost.example.org: ");
  expect(sends(far, "shown")).toContain("with the first rows");
  expect(sends(far, "kept_here")).toContain("stand-ins for the words in cells");
  expect(sends(far, "kept_here")).not.toContain("first rows");
});

test("a model found on this computer is taken by one press", async () => {
  const user = await connect();
  expect(called("save_settings")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Use llama3.2, Ollama" }));
  const summary = await screen.findByRole("region", { name: "The connected model" });
  expect(within(summary).getByText(/on this computer, 127.0.0.1:11434/)).toBeDefined();
  expect(saved()).toMatchObject({ kind: "remote", preset: "ollama", model: "llama3.2" });
});

test("without a program on this computer it says what to do", async () => {
  found.local = [];
  const user = await connect();
  expect(screen.getByText(/No program with a model answers here/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Look again" }));
  await waitFor(() => expect(called("connections")).toHaveLength(2));
});

test("a pasted key brings the list, the chosen model its price, and all is kept at the end", async () => {
  const user = await connect("OpenAI");
  expect(screen.getByText("https://platform.openai.com/api-keys")).toBeDefined();
  expect(called("list_models")).toEqual([]);
  await user.click(screen.getByLabelText("Key"));
  await user.paste(" sk-1 ");
  await user.click(screen.getByRole("radio", { name: "For this session only" }));
  await user.click(await screen.findByRole("option", { name: /great/ }));
  expect(screen.getByText("reads about 96,000 words · $3 in, $15 out")).toBeDefined();
  expect(called("save_settings")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Use this model" }));
  await screen.findByText("Its key is kept until Assay is closed.");
  expect(called("list_models")).toHaveLength(1);
  expect(saved()).toEqual({
    ...remote("https://api.openai.com/v1"),
    preset: "openai",
    wire: "responses",
    model: "great",
    prices: { input_microdollars: 3_000_000, output_microdollars: 15_000_000 },
    key: "sk-1",
    key_place: "session",
  });
});

test("the list is searched and walked by keys, and another name may be typed", async () => {
  found.presets[0] = { ...(found.presets[0] as Preset), place: "local" };
  const user = await connect("OpenAI");
  await screen.findAllByRole("option");
  const field = screen.getByRole("combobox", { name: "Model" });
  await user.type(field, "ti");
  expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["tiny"]);
  await user.keyboard("{Enter}");
  expect(field).toHaveProperty("value", "tiny");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.keyboard("{ArrowDown}{ArrowUp}{ArrowUp}");
  expect(
    document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent,
  ).toMatch(/^great/);
  await user.clear(field);
  await user.type(field, "none of these");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(screen.getByRole("button", { name: "Use this model" })).toHaveProperty("disabled", false);
});

test("only the places that this computer has are offered for a key", async () => {
  found.key_places = ["session", "file"];
  await connect("OpenAI");
  expect(screen.getByText("This computer has no keychain that Assay can use.")).toBeDefined();
  const places = screen.getByRole("radiogroup", { name: "Keep the key" });
  expect(
    within(places)
      .getAllByRole("radio")
      .map((radio) => radio.getAttribute("value")),
  ).toEqual(["session", "file"]);
  expect(within(places).getByText(/Whoever can read your files can read the key/)).toBeDefined();
});

test("a key that cannot be kept says so where it was typed, and nothing has changed", async () => {
  refusal = {
    code: "keychain",
    message: "No keychain.",
    hint: "Choose another place.",
    detail: "",
  };
  const user = await connect("OpenAI");
  await user.type(screen.getByLabelText("Key"), "sk-1{Enter}");
  await user.click(await screen.findByRole("option", { name: /tiny/ }));
  await user.click(screen.getByRole("button", { name: "Use this model" }));
  expect(await screen.findByText("No keychain.")).toBeDefined();
  expect(screen.getByLabelText("Key")).toHaveProperty("value", "sk-1");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("radio", { name: /Built-in analyst/ })).toHaveProperty(
    "ariaChecked",
    "true",
  );
});

test("a list that does not come says why, and a name can be typed", async () => {
  listed = wrongKey;
  const user = await connect("OpenAI");
  await user.type(screen.getByLabelText("Key"), "wrong{Enter}");
  expect(await screen.findByText("Wrong key.")).toBeDefined();
  await user.type(screen.getByLabelText("Model"), "great");
  expect(screen.getByRole("button", { name: "Use this model" })).toHaveProperty("disabled", false);
});

async function openKept(part: Partial<RemoteModel>) {
  kept = { ...practice, model: remote("https://api.openai.com/v1", { preset: "openai", ...part }) };
  const user = userEvent.setup();
  render(<Page />);
  await screen.findByRole("region", { name: "The connected model" });
  return user;
}

test("a test says in plain words what works, and what it saw counts", async () => {
  const user = await openKept({ key_place: "keychain" });
  await user.click(screen.getByRole("button", { name: "Change the model" }));
  await user.click(await screen.findByRole("button", { name: "Test the connection" }));
  const shown = await screen.findByRole("status", { name: "What the test has shown" });
  expect(
    within(shown)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(probeWords(probe).map(({ text }) => text));
  expect(tested()).toMatchObject({ images: true, key: null, key_place: "keychain" });
  await user.click(screen.getByRole("button", { name: "Use this model" }));
  await screen.findByRole("region", { name: "The connected model" });
  expect(saved()).toMatchObject({ images: true, key: null, key_place: "keychain" });
});

test("a test that goes on can be stopped", async () => {
  let end: (problem: Problem) => void = () => undefined;
  answer = new Promise((_, reject) => (end = reject));
  const user = await openKept({});
  await user.click(screen.getByRole("button", { name: "Test the connection" }));
  await user.click(await screen.findByRole("button", { name: "Stop the test" }));
  expect(called("stop_test")).toHaveLength(1);
  end({ code: "stopped", message: "Stopped.", hint: "", detail: "" });
  expect(await screen.findByText("The test was stopped.")).toBeDefined();
});

test("a test that fails shows the problem with its next step", async () => {
  answer = Promise.reject(wrongKey);
  answer.catch(() => undefined);
  const user = await openKept({});
  await user.click(screen.getByRole("button", { name: "Test the connection" }));
  expect(await screen.findByText("Check it.")).toBeDefined();
  expect(screen.getByRole("button", { name: "Test it again" })).toBeDefined();
});

test("a key is forgotten, and another model thinks again without being set up anew", async () => {
  const user = await openKept({ key_place: "file" });
  await user.click(screen.getByRole("button", { name: "Forget the key" }));
  expect(await screen.findByText("No key is kept for it.")).toBeDefined();
  expect(saved().key).toBe("");
  await user.click(screen.getByRole("radio", { name: /Built-in analyst/ }));
  await waitFor(() => expect(kept.model.kind).toBe("built_in"));
  await user.click(screen.getByRole("radio", { name: "A language model" }));
  await waitFor(() => expect(kept.model).toMatchObject({ kind: "remote", model: "small" }));
});

test("limits are kept as they are left, and what is no number is said", async () => {
  const user = userEvent.setup();
  render(<Page />);
  const money = await screen.findByLabelText("Money, in US dollars");
  await user.type(money, "1,50{Enter}");
  await waitFor(() => expect(kept.limits.cents).toBe(150));
  const steps = screen.getByLabelText("Steps");
  await user.clear(steps);
  await user.type(steps, "many");
  await user.tab();
  expect(screen.getByRole("alert").textContent).toContain("a whole number from 1 to 10,000");
  expect(kept.limits.steps).toBe(80);
  await user.clear(money);
  await user.tab();
  await waitFor(() => expect(kept.limits.cents).toBeNull());
});

test("a limit of money says whether it can hold", () => {
  const priced = remote("https://a.example/v1", {
    prices: { input_microdollars: 1, output_microdollars: 1 },
  });
  expect(moneyHint(remote("https://a.example/v1"))).toContain("that of small is not");
  expect(moneyHint(priced)).toContain("Counted by the price that is set for small");
});

test("figures are read with a point, a comma, or marks between thousands", () => {
  expect(
    ["0.25", "0,25", "2,000,000", "1’000", "12 000", "", "a", "-1"].map((text) => figureOf(text)),
  ).toEqual([0.25, 0.25, 2_000_000, 1000, 12_000, null, null, null]);
});

test("marks between thousands are no fractions where only whole numbers count", () => {
  const whole = (text: string) => figureOf(text, "whole");
  expect(["2.000.000", "2,000", "2 000", "15", "1.5"].map(whole)).toEqual([
    2_000_000, 2000, 2000, 15, 1.5,
  ]);
});

test("rows are kept here by a switch, whose words promise nothing else", async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(await screen.findByRole("switch", { name: "Keep my rows on this computer" }));
  await waitFor(() => expect(kept.rows).toBe("kept_here"));
  expect(screen.getByText(/Figures are sent/)).toBeDefined();
});

test("says what a model cannot do", () => {
  const weak = { ...probe, tools: null, streams: false, images: null, context_tokens: 4096 };
  expect(probeWords(weak).map(({ tone }) => tone)).toEqual([
    "bad",
    "short",
    "short",
    "short",
    "good",
  ]);
  expect(probeWords(weak)[3]?.text).toContain("about 3,100 words");
});
