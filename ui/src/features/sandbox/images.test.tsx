import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import type { ImageProgress, OwnImage, Problem } from "../../api";
import { setPlatform } from "../../platform";
import { ImageCare } from "./ImageCare";
import { imageFacts, imageTitle, packagesIn, removedWords } from "./imageWords";
import { useImages } from "./useImages";

const own: OwnImage = {
  id: "sha256:aaaaaaaaaaaaaaaa",
  names: ["assay-sandbox:2"],
  bytes: 900_000_000,
  made_s: 1_764_374_400,
  architecture: "amd64",
  base: null,
  packages: [],
  lock: [],
  is_present: true,
};
const derived: OwnImage = {
  ...own,
  id: "sha256:bbbbbbbbbbbbbbbb",
  names: ["assay-packages:b"],
  packages: ["humanize<5"],
  lock: ["humanize==4.15.0"],
};
const old: OwnImage = {
  ...own,
  id: "sha256:cccccccccccccccc",
  names: ["assay-sandbox:1"],
  base: "registry.example.org/python:3.13",
  is_present: false,
};

const stopped: Problem = {
  code: "stopped",
  message: "Stopped.",
  hint: "What was finished is kept.",
  detail: "",
};

let there: OwnImage[];
let reread: number;
let heard: (progress: ImageProgress) => void;
let end: { done: (answer: unknown) => void; fail: (problem: Problem) => void };
const calls: [string, Record<string, unknown>][] = [];
const called = (name: string) => calls.filter(([each]) => each === name).map(([, args]) => args);

beforeEach(() => {
  calls.length = 0;
  reread = 0;
  there = [own, derived, old];
  setPlatform({
    async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      calls.push([name, args]);
      if (name === "images") return there as Answer;
      if (name === "remove_old_images") {
        const removed = there.filter(({ is_present }) => !is_present);
        there = there.filter(({ is_present }) => is_present);
        return removed as Answer;
      }
      if (name === "stop_build") {
        end.fail(stopped);
        return null as Answer;
      }
      heard = args.channel as typeof heard;
      return new Promise<Answer>((done, fail) => {
        end = { done: (answer) => done(answer as Answer), fail };
      });
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

function Care({ start = null, named = [] }: { start?: string | null; named?: string[] }) {
  const [inUse, use] = useState(start);
  const images = useImages(async () => {
    reread += 1;
  });
  return (
    <>
      <ImageCare images={images} inUse={inUse} named={named} onUse={use} />
      <output aria-label="setting">{String(inUse)}</output>
    </>
  );
}

const setting = () => screen.getByLabelText("setting").textContent;
const row = async (name: RegExp) => {
  const found = (await screen.findAllByRole("listitem")).find((each) =>
    name.test(each.textContent),
  );
  return found as HTMLElement;
};

test("each image says what it is, and which is in use follows the setting", async () => {
  const user = userEvent.setup();
  render(<Care />);
  const present = await row(/assay-sandbox:2/);
  expect(present.textContent).toContain("Assay’s sandbox, version 2");
  expect(present.textContent).toMatch(/900 MB, for amd64, made here on .*2025 from the official/);
  expect(present.textContent).toContain("In use.");
  const more = await row(/assay-packages/);
  expect(more.textContent).toContain("Can be used.");
  expect(more.textContent).toContain("humanize==4.15.0");
  expect((await row(/assay-sandbox:1/)).textContent).toContain(
    "Old: no question uses it any more.",
  );
  await user.click(within(more).getByRole("button", { name: "Use With humanize<5" }));
  expect(setting()).toBe("assay-packages:b");
  expect((await row(/assay-packages/)).textContent).toContain("In use.");
  await user.click(screen.getByRole("button", { name: "Use Assay’s sandbox, version 2" }));
  expect(setting()).toBe("null");
});

test("old images go only after a yes, and the one in use leaves the setting with them", async () => {
  const user = userEvent.setup();
  render(<Care start="assay-sandbox:1" />);
  await user.click(await screen.findByRole("button", { name: "Remove old images (900 MB)" }));
  const asking = await screen.findByRole("dialog", { name: "Remove the old images?" });
  expect(asking.textContent).toContain("The one that questions use now is among them.");
  await user.click(within(asking).getByRole("button", { name: "Keep them" }));
  expect(called("remove_old_images")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Remove old images (900 MB)" }));
  await user.click(screen.getByRole("button", { name: "Remove" }));
  await screen.findByText("1 old image removed.");
  expect(called("remove_old_images")).toEqual([{ engine: { kind: "usual" } }]);
  expect(setting()).toBe("null");
  await waitFor(() => expect(screen.queryByText("assay-sandbox:1")).toBeNull());
});

test("packages are made with progress, stopped, made again, and the settings are read anew", async () => {
  const user = userEvent.setup();
  render(<Care />);
  const field = await screen.findByRole("textbox", { name: "Extra packages" });
  await user.type(field, "humanize >= 4, <5, seaborn");
  await user.click(screen.getByRole("button", { name: "Make and use it" }));
  expect(called("add_packages")[0]?.packages).toEqual(["humanize>=4,<5", "seaborn"]);
  const part = (done_bytes: number) => ({ name: "layer", done_bytes, total_bytes: 4_000_000 });
  heard({ line: "Step 1/4" });
  heard({ line: "Downloading", part: part(1_000_000) });
  heard({ line: "Downloading", part: part(2_000_000) });
  await waitFor(() =>
    expect(screen.getByLabelText("Progress").textContent).toBe(
      "Step 1/4\nDownloading layer: 2 MB of 4 MB",
    ),
  );
  expect(screen.getByRole("button", { name: "Make and use it" })).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await screen.findByText("Stopped. What was finished is kept.");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(reread).toBe(0);
  await user.click(screen.getByRole("button", { name: "Make and use it" }));
  end.done(null);
  await screen.findByText("Made. Questions use it from now on.");
  expect(reread).toBe(1);
});

test("an image is fetched on the engine that is chosen, and can be used for every question", async () => {
  const user = userEvent.setup();
  render(<Care named={["big box"]} />);
  await user.selectOptions(await screen.findByLabelText("Those on the engine"), "big box");
  const engine = { kind: "listed", name: "big box" };
  await waitFor(() => expect(called("images").at(-1)).toEqual({ engine }));
  await user.click(await screen.findByText("Fetch or load an image"));
  await user.type(screen.getByLabelText("Name of the image"), "python:3.12{Enter}");
  expect(called("pull_image")[0]).toMatchObject({ engine, name: "python:3.12" });
  end.done(null);
  await user.click(await screen.findByRole("button", { name: "Use it for every question" }));
  expect(setting()).toBe("python:3.12");
  await screen.findByText(/as you chose/);
  expect(screen.queryByLabelText("Extra packages")).toBeNull();
});

test("a file whose image is Assay’s own needs no choice, and no file is no news", async () => {
  const user = userEvent.setup();
  render(<Care />);
  await user.click(await screen.findByText("Fetch or load an image"));
  await user.click(screen.getByRole("button", { name: "Load from a file" }));
  end.done([]);
  await waitFor(() => expect(screen.queryByLabelText("Progress")).toBeNull());
  expect(screen.queryByText(/is there/)).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Load from a file" }));
  end.done(["assay-sandbox:2"]);
  await screen.findByText(/is there/);
  expect(screen.queryByRole("button", { name: "Use it for every question" })).toBeNull();
});

test("names of packages are found however they are written", () => {
  expect(packagesIn("humanize, seaborn == 0.13.2\nxgboost;  a>=1 , <2")).toEqual([
    "humanize",
    "seaborn==0.13.2",
    "xgboost",
    "a>=1,<2",
  ]);
  expect(packagesIn("a[b,c]~=1.0")).toEqual(["a[b,c]~=1.0"]);
  expect(packagesIn(" , ;")).toEqual([]);
});

test("what an image is said to be follows what is known of it", () => {
  expect(imageTitle({ ...own, names: [] })).toBe("Assay’s sandbox, unfinished");
  expect(imageFacts(old)).toContain("from registry.example.org/python:3.13");
  expect(imageFacts(derived)).toContain("from Assay’s sandbox");
  expect(removedWords([old, own], [old])).toBe(
    "1 old image removed. 1 is still used by a sandbox and stays.",
  );
});
