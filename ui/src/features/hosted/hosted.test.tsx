import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Check, Problem, Settings } from "../../api";
import { setPlatform } from "../../platform";
import { settings as practice } from "../../platform/mock/profile";
import { SandboxSettings, useEngines, useImages } from "../sandbox";
import { useSettings } from "../settings";
import { TroubleDialog, useDiagnosis } from "../trouble";

const OPENAI = "https://api.openai.com/v1";

const consent: Problem = {
  code: "consent_missing",
  message: "The files of a run would leave this computer.",
  hint: "Agree to that in the settings.",
  detail: "",
};

let kept: Settings;
let agreed: string[];
let refusal: Problem | null;
const calls: [string, Record<string, unknown>][] = [];
const called = (name: string) => calls.filter(([each]) => each === name).map(([, args]) => args);
const saved = () => called("save_settings").map((args) => args.settings as Settings);

beforeEach(() => {
  calls.length = 0;
  kept = practice;
  agreed = [];
  refusal = null;
  const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
    settings: () => kept,
    save_settings: ({ settings }) => {
      if (refusal !== null) throw refusal;
      const next = settings as Settings;
      const key_place = next.hosted.key === "" ? null : next.hosted.key_place;
      kept = { ...next, hosted: { ...next.hosted, key: null, key_place } };
    },
    connections: () => ({ presets: [], key_places: ["session", "file"], local: [] }),
    hosted_terms: ({ address }) => ({
      caveats: ["The files are sent to the provider.", "It costs money."],
      agreed_at: agreed.includes(String(address)) ? "2025-11-29T15:02:11Z" : null,
    }),
    agree_to_hosted: ({ address }) => agreed.push(String(address)),
    withdraw_from_hosted: ({ address }) => {
      agreed = agreed.filter((each) => each !== address);
    },
    engines: () => ({ found: [], listed: [] }),
    images: () => [],
    diagnose: () => {
      const isFine = agreed.includes(kept.hosted.base_url);
      const check: Check = {
        name: "Engine",
        ready: isFine ? "ready" : null,
        problem: isFine ? null : consent,
      };
      return { checks: [check], runtime: "hosted", sandbox: null };
    },
  };
  setPlatform({
    async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      calls.push([name, args]);
      return ((await answers[name]?.(args)) ?? null) as Answer;
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

function InSettings() {
  const settings = useSettings();
  const engines = useEngines();
  const images = useImages(settings.reread);
  if (settings.kept === null) return null;
  return (
    <SandboxSettings
      settings={settings.kept}
      engines={engines}
      images={images}
      onChange={(part) => void settings.change(part)}
      onSave={settings.save}
    />
  );
}

async function choose() {
  const user = userEvent.setup();
  render(<InSettings />);
  await user.click(await screen.findByRole("radio", { name: "A provider’s containers" }));
  await screen.findByText("It costs money.");
  return user;
}

test("a provider counts only after the warning was answered with yes", async () => {
  const user = await choose();
  const yes = screen.getByRole("button", { name: "Let the files leave for api.openai.com" });
  expect(screen.getByRole("alert").textContent).toContain("The files of each question leave");
  expect(yes).toHaveProperty("disabled", true);
  expect(screen.getByText("Still missing: the key.")).toBeDefined();
  await user.type(screen.getByLabelText("Key"), " sk-1 ");
  await user.click(screen.getByRole("radio", { name: "In a private file on this computer" }));
  expect(saved()).toEqual([]);
  await user.click(yes);
  await screen.findByRole("region", { name: "The provider" });
  expect(called("agree_to_hosted")).toEqual([{ address: OPENAI }]);
  expect(saved()[0]).toMatchObject({
    runtime: "hosted",
    hosted: { base_url: OPENAI, key: "sk-1", key_place: "file" },
  });
  const agreement = calls.findIndex(([name]) => name === "agree_to_hosted");
  expect(agreement).toBeLessThan(calls.findIndex(([name]) => name === "save_settings"));
});

test("not now leaves everything as it was", async () => {
  const user = await choose();
  await user.type(screen.getByLabelText("Key"), "sk-1");
  await user.click(screen.getByRole("button", { name: "Not now" }));
  expect(screen.getByRole("radio", { name: "Automatic" })).toHaveProperty("ariaChecked", "true");
  expect([called("agree_to_hosted"), saved()]).toEqual([[], []]);
});

test("a consent is for one address, and a key that cannot be kept is said", async () => {
  agreed = [OPENAI];
  const user = userEvent.setup();
  render(<InSettings />);
  await user.click(await screen.findByRole("radio", { name: "A provider’s containers" }));
  await screen.findByText(/You agreed to that/);
  await user.type(screen.getByLabelText("Key"), "sk-1");
  const address = screen.getByLabelText("Address of the provider");
  await user.clear(address);
  await user.type(address, "https://other.example.org/v1");
  refusal = { code: "keychain", message: "No keychain.", hint: "", detail: "" };
  await user.click(
    await screen.findByRole("button", { name: "Let the files leave for other.example.org" }),
  );
  await screen.findByText("No keychain.");
  expect(called("agree_to_hosted")).toEqual([{ address: "https://other.example.org/v1" }]);
  expect(kept.runtime).toBe("auto");
});

test("the key of the model at the same address serves here too", async () => {
  kept = {
    ...practice,
    model: {
      kind: "remote",
      preset: "openai",
      wire: "responses",
      base_url: OPENAI,
      model: "great",
      images: false,
      tools: null,
      guidance: null,
      prices: null,
      key_place: "session",
      key: null,
    },
  };
  const user = await choose();
  await user.click(screen.getByRole("button", { name: /Let the files leave/ }));
  const provider = await screen.findByRole("region", { name: "The provider" });
  expect(provider.textContent).toContain("with the key of the model that thinks");
  expect(saved()[0]?.hosted).toMatchObject({ key: null, key_place: null });
});

test("one press brings the files back: the consent goes, and code runs here", async () => {
  agreed = [OPENAI];
  kept = { ...practice, runtime: "hosted", hosted: { ...practice.hosted, key_place: "file" } };
  const user = userEvent.setup();
  render(<InSettings />);
  const provider = await screen.findByRole("region", { name: "The provider" });
  expect(provider.textContent).toContain("The files of each question are sent there.");
  expect(screen.queryByRole("heading", { name: "Images" })).toBeNull();
  await user.click(within(provider).getByRole("button", { name: "Forget the key" }));
  await waitFor(() => expect(kept.hosted.key_place).toBeNull());
  await user.click(screen.getByRole("button", { name: "Files stay here again" }));
  await waitFor(() => expect(kept.runtime).toBe("auto"));
  expect(agreed).toEqual([]);
  expect(screen.queryByRole("region", { name: "The provider" })).toBeNull();
});

function Held() {
  const diagnosed = useDiagnosis(true);
  return (
    <TroubleDialog
      open
      onClose={() => undefined}
      diagnosed={diagnosed}
      settings={null}
      onGoOn={() => undefined}
    />
  );
}

test("a question whose provider nobody has agreed to meets the same warning, and goes on after it", async () => {
  kept = { ...practice, runtime: "hosted" };
  const user = userEvent.setup();
  render(<Held />);
  await screen.findByText("It costs money.");
  expect(screen.getByRole("button", { name: "Not now" })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Analyse now" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Let the files leave for api.openai.com" }));
  await screen.findByRole("button", { name: "Analyse now" });
  expect(agreed).toEqual([OPENAI]);
});
