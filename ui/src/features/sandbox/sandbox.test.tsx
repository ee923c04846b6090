import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import type { EngineChoice, Engines, Finding, ListedEngine, Problem } from "../../api";
import { setPlatform } from "../../platform";
import { settings } from "../../platform/mock/profile";
import { placeWords } from "../../shared";
import { EngineForRun } from "./EngineForRun";
import { SandboxSettings } from "./SandboxSettings";
import { useEngines } from "./useEngines";
import { useImages } from "./useImages";
import { proofWords } from "./words";

const facts = {
  product: "Docker",
  version: "20.10.24+dfsg1",
  system: "Debian",
  host: "desk",
  architecture: "x86_64",
  cpus: 8,
  memory_mib: 16_384,
};

const box: ListedEngine = {
  name: "big box",
  address: "ssh://box",
  certificates: null,
  runs_at_once: 2,
};

const stopped: Problem = { code: "stopped", message: "Stopped.", hint: "", detail: "" };
const refused: Problem = {
  code: "input",
  message: "That is no name.",
  hint: "Use letters.",
  detail: "",
};

const finding = (limit: Finding["limit"], verdict: Finding["verdict"]): Finding => ({
  limit,
  asked: "2048 MiB",
  found: "1024 MiB",
  verdict,
});

let list: ListedEngine[];
let kept: ListedEngine[][];
let refusal: Problem | null;
let endLook: { done: () => void; stop: () => void };

beforeEach(() => {
  list = [box];
  kept = [];
  refusal = null;
  const seen = (): Engines => ({
    found: [
      { address: "unix:///a.sock", origin: "Docker", state: "chosen", reason: "", facts },
      {
        address: "unix:///b.sock",
        origin: "Podman",
        state: "answers",
        reason: "Docker comes first",
        facts: { ...facts, product: "Podman", version: "5.4" },
      },
      {
        address: "unix:///c.sock",
        origin: "Colima",
        state: "absent",
        reason: "nothing is there",
        facts: null,
      },
    ],
    listed: list.map((engine) => ({
      engine,
      seen: { address: engine.address, origin: "the setting", state: "chosen", reason: "", facts },
      runs: 1,
    })),
  });
  const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
    engines: seen,
    list_engines: ({ list: next }) => {
      if (refusal !== null) throw refusal;
      kept.push(next as ListedEngine[]);
      list = next as ListedEngine[];
      return null;
    },
    prove_sandbox: () =>
      new Promise((resolve, reject) => {
        const findings = [finding("memory", "holds"), finding("files", "not_enforced")];
        endLook = {
          done: () => resolve({ runtime: "local", engine_runtimes: [], findings }),
          stop: () => reject(stopped),
        };
      }),
    stop_proof: () => {
      endLook.stop();
      return null;
    },
    choose_certificates: () => "/certificates",
    images: () => [],
  };
  setPlatform({
    invoke: async <Answer,>(name: string, args: Record<string, unknown> = {}) =>
      (await answers[name]?.(args)) as Answer,
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

function InSettings() {
  return (
    <SandboxSettings
      settings={settings}
      engines={useEngines()}
      images={useImages(async () => undefined)}
      onChange={() => undefined}
      onSave={async () => undefined}
    />
  );
}

function AtTheQuestion({ start }: { start: EngineChoice }) {
  const [choice, choose] = useState(start);
  return (
    <>
      <EngineForRun engines={useEngines()} choice={choice} onChoose={choose} />
      <output>{JSON.stringify(choice)}</output>
    </>
  );
}

test("every engine says whether it is in use, and why not", async () => {
  render(<InSettings />);
  const found = await screen.findByRole("region", { name: "Engines found" });
  const [first, second] = within(found).getAllByRole("listitem");
  expect(first?.textContent).toContain("Docker 20.10.24 unix:///a.sock");
  expect(first?.textContent).toContain("8 processors, 16 GB of memory, x86_64");
  expect(first?.textContent).toContain("In use.");
  expect(second?.textContent).toContain("Not used: Docker comes first.");
  expect(found.textContent).toContain("1 other place looked at, nothing there");
});

test("an engine is added, edited and removed, and what is refused is said", async () => {
  const user = userEvent.setup();
  render(<InSettings />);
  await user.click(await screen.findByRole("button", { name: "Add an engine" }));
  await user.type(screen.getByLabelText("Name"), "attic");
  await user.type(screen.getByLabelText("Address"), "tcp://attic:2376");
  await user.click(screen.getByRole("button", { name: "Choose the folder" }));
  await screen.findByText("/certificates");
  refusal = refused;
  await user.click(screen.getByRole("button", { name: "Keep this engine" }));
  expect((await screen.findByRole("alert")).textContent).toContain("That is no name.");
  expect(kept).toEqual([]);
  refusal = null;
  await user.click(screen.getByRole("button", { name: "Keep this engine" }));
  await screen.findByRole("button", { name: "Edit attic" });
  const attic = {
    name: "attic",
    address: "tcp://attic:2376",
    certificates: "/certificates",
    runs_at_once: 1,
  };
  expect(kept.at(-1)).toEqual([box, attic]);

  await user.click(screen.getByRole("button", { name: "Edit big box" }));
  await user.clear(screen.getByLabelText("Runs at a time"));
  await user.type(screen.getByLabelText("Runs at a time"), "4{Enter}");
  await waitFor(() => expect(kept.at(-1)).toEqual([{ ...box, runs_at_once: 4 }, attic]));
  await user.click(await screen.findByRole("button", { name: "Remove attic" }));
  await waitFor(() => expect(kept.at(-1)).toEqual([{ ...box, runs_at_once: 4 }]));
});

test("a look inside can be stopped, and shows each limit in words", async () => {
  const user = userEvent.setup();
  render(<InSettings />);
  await user.click(screen.getByRole("button", { name: "Look inside" }));
  await user.click(screen.getByRole("button", { name: "Stop looking" }));
  await screen.findByText("Stopped.");
  await user.click(screen.getByRole("button", { name: "Look inside" }));
  endLook.done();
  const row = await screen.findByRole("row", { name: /Number of files/ });
  expect(row.textContent).toBe("Number of files2048 MiB1024 MiBCannot be enforced here");
  expect(screen.getByText("1 limit holds; 1 cannot be enforced in this sandbox.")).toBeDefined();
});

test("a limit that does not hold is a warning, whatever the others do", () => {
  const of = (...verdicts: Finding["verdict"][]) =>
    proofWords({
      runtime: "docker",
      engine_runtimes: [],
      findings: verdicts.map((verdict) => finding("memory", verdict)),
    });
  expect(of("holds", "holds")).toEqual({ tone: "good", text: "All 2 limits hold." });
  expect(of("holds", "not_enforced", "broken").tone).toBe("bad");
});

test("a question goes to an engine of the list, or to the first that is free", async () => {
  const user = userEvent.setup();
  render(<AtTheQuestion start={{ kind: "usual" }} />);
  await user.click(await screen.findByRole("radio", { name: "big box" }));
  expect(screen.getByRole("status").textContent).toBe('{"kind":"listed","name":"big box"}');
  await user.click(screen.getByRole("radio", { name: "The first that is free" }));
  expect(screen.getByRole("status").textContent).toBe('{"kind":"first_free"}');
  expect(screen.getByText(/1 of 2 runs on it now/)).toBeDefined();
});

test("without a list there is nothing to choose, and an engine that was removed is chosen no more", async () => {
  list = [];
  render(<AtTheQuestion start={{ kind: "listed", name: "big box" }} />);
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe('{"kind":"usual"}'));
  expect(screen.queryByRole("radio")).toBeNull();
});

test("where code runs is said in plain words", () => {
  const ready = {
    runtime: "docker",
    engine: "Docker 20.10.24+dfsg1",
    address: "unix:///var/run/docker.sock",
    image: "",
    image_bytes: 0,
    gaps: [],
  };
  expect(placeWords(ready)).toBe("Docker 20.10.24 on this computer");
  expect(placeWords({ ...ready, address: "tcp://127.0.0.1:2375" })).toContain("on this computer");
  expect(placeWords({ ...ready, address: "tcp://127.example.org:2375" })).toContain(" at tcp://");
  expect(placeWords(ready, "big box")).toBe("engine “big box” (Docker 20.10.24)");
  expect(placeWords({ ...ready, runtime: "local", engine: "bubblewrap 0.8.0" })).toBe(
    "sealed by this computer (bubblewrap 0.8.0)",
  );
  const hosted = { ...ready, runtime: "hosted", address: "https://api.example.org/v1" };
  expect(placeWords(hosted)).toBe("a provider’s containers; the files are sent to api.example.org");
});
