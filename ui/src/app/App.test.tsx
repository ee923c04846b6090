import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Check, Problem, RunAsk, Settings } from "../api";
import { setPlatform, type Platform } from "../platform";
import { mock } from "../platform/mock";
import { remotes } from "../platform/mock/remotes";
import { tell } from "../platform/mock/wire";
import { App } from "./App";

const stopped: Problem = {
  code: "engine_stopped",
  message: "The engine (Docker) is not running.",
  hint: "Start it.",
  detail: "refused",
};

const calls: [string, Record<string, unknown>][] = [];
let engine: Problem | null;

/** The practice host with an engine that can be stopped, and without its pauses. */
const host: Platform = {
  ...mock,
  async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
    calls.push([name, args]);
    if (name === "diagnose") {
      const ready = engine === null ? "Docker" : null;
      const checks: Check[] = [{ name: "Engine", ready, problem: engine }];
      return { checks, runtime: "docker", sandbox: null } as Answer;
    }
    if (name === "start_engine") {
      engine = null;
      return null as Answer;
    }
    if (name === "start_run") {
      if (engine !== null) throw engine;
      return "run-energy" as Answer;
    }
    return mock.invoke<Answer>(name, args);
  },
};

beforeEach(() => {
  calls.length = 0;
  engine = null;
  setPlatform(host);
});

const called = (name: string) => calls.filter(([call]) => call === name);

async function openSample() {
  const user = userEvent.setup();
  render(<App />);
  await user.click(screen.getByRole("button", { name: "the building energy sample" }));
  await screen.findByText("Seen at a glance");
  return user;
}

test("the first paint is reported once and Home needs nothing", async () => {
  render(<App />);
  expect(screen.getByRole("heading", { name: "Drop your data here" })).toBeDefined();
  expect(called("ui_ready")).toHaveLength(1);
  await screen.findByText("Energy 2025: 7 unusual periods");
});

test("a suggestion fills the box and Ctrl+Enter asks it", async () => {
  const user = await openSample();
  await user.click(screen.getByRole("button", { name: "At what hours is energy_kwh highest?" }));
  await user.click(screen.getByRole("checkbox", { name: "tables" }));
  await user.keyboard("{Control>}{Enter}{/Control}");
  const ask = called("start_run")[0]?.[1].ask as RunAsk;
  expect(ask).toEqual({
    files: ["file-1"],
    ask: "At what hours is energy_kwh highest?",
    meaning: "",
    charts: true,
    tables: false,
    rows: "shown",
    leave_out: [],
    engine: { kind: "usual" },
  });
});

test("rows are left out only when it was chosen, by pointer or by keys", async () => {
  const user = await openSample();
  const repeats = screen.getByRole("radiogroup", { name: /12 rows repeat an earlier one/ });
  expect(within(repeats).getByRole("radio", { name: "Keep all 8,760 rows" })).toHaveProperty(
    "ariaChecked",
    "true",
  );
  await user.click(within(repeats).getByRole("radio", { name: /Leave the 12 repeats out/ }));
  const gaps = screen.getByRole("radiogroup", { name: "41 rows have no outdoor_temp_c." });
  await user.click(within(gaps).getByRole("radio", { name: /Leave 41 rows out/ }));
  await user.keyboard("{ArrowLeft>}");
  await waitFor(() =>
    expect(within(gaps).getAllByRole("radio")[0]).toHaveProperty("ariaChecked", "true"),
  );
  await user.keyboard("{/ArrowLeft}");
  await user.click(screen.getByRole("button", { name: "Analyse" }));
  expect((called("start_run")[0]?.[1].ask as RunAsk).leave_out).toEqual([
    { file: "file-1", choice: "repeats" },
  ]);
});

test("with a language model it is chosen at the desk whether rows are kept here", async () => {
  const kept = await mock.invoke<Settings>("settings");
  const settings = { ...kept, model: remotes.openai, rows: "kept_here" };
  await mock.invoke("save_settings", { settings });
  const user = await openSample();
  const keep = screen.getByRole("switch", { name: "Keep my rows on this computer" });
  expect(keep).toHaveProperty("ariaChecked", "true");
  expect(screen.getByText(/stand-ins for the words in cells/)).toBeDefined();
  await user.click(keep);
  expect(screen.getByText(/shown some rows/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Analyse" }));
  expect((called("start_run")[0]?.[1].ask as RunAsk).rows).toBe("shown");
  await mock.invoke("save_settings", { settings: kept });
});

test("a stopped engine is started from where the person stands, and the ask goes on", async () => {
  engine = stopped;
  const user = await openSample();
  await user.click(screen.getByRole("button", { name: "Analyse" }));
  const dialog = await screen.findByRole("dialog", { name: "Before it can run" });
  await user.click(within(dialog).getByRole("button", { name: "Start it" }));
  await user.click(await screen.findByRole("button", { name: "Analyse now" }));
  expect(called("start_run")).toHaveLength(2);
  expect(called("start_run")[1]?.[1].ask).toEqual(called("start_run")[0]?.[1].ask);
});

test("a drop brings the desk forward from another page", async () => {
  const user = userEvent.setup();
  render(<App />);
  await user.click(screen.getByRole("button", { name: "Settings" }));
  const added = await mock.invoke("add_sample");
  act(() => tell("files-added", added));
  expect(await screen.findByRole("heading", { name: "building_energy.csv" })).toBeDefined();
});

test("a quit during a run is asked about, and staying is the way out", async () => {
  const user = userEvent.setup();
  render(<App />);
  act(() => tell("quit-asked", null));
  await screen.findByRole("dialog", { name: "A run is still going on" });
  await user.keyboard("{Escape}");
  expect(called("quit_answer")).toEqual([["quit_answer", { answer: "stay" }]]);
});

test("beside the question it is plain that the files leave, before and after that was agreed to", async () => {
  const hosted = (await mock.invoke<Settings>("settings")).hosted;
  const kept = { ...(await mock.invoke<Settings>("settings")), runtime: "hosted" as const };
  let agreed = false;
  setPlatform({
    ...host,
    async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      if (name === "settings") return kept as Answer;
      if (name === "agree_to_hosted") agreed = true;
      if (name !== "diagnose") return host.invoke<Answer>(name, args);
      const problem: Problem = { ...stopped, code: "consent_missing" };
      const check: Check = { name: "Engine", ready: null, problem: agreed ? null : problem };
      return { checks: [check], runtime: "hosted", sandbox: null } as Answer;
    },
  });
  const user = await openSample();
  await user.click(
    await screen.findByRole("button", {
      name: /Runs in: a provider’s containers, once you have agreed/,
    }),
  );
  await user.click(
    await screen.findByRole("button", { name: "Let the files leave for api.openai.com" }),
  );
  await screen.findByText("The sandbox is ready.");
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(hosted.base_url).toBe("https://api.openai.com/v1");
  await screen.findByRole("button", {
    name: /Runs in: a provider’s containers; the files are sent to api.openai.com/,
  });
});
