import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import type { ImageProgress, OwnImage, Problem } from "../../api";
import { setPlatform } from "../../platform";
import { ImageCare } from "./ImageCare";
import { packagesIn, removedWords } from "./imageWords";
import { useImages } from "./useImages";

const image = (part: Partial<OwnImage>): OwnImage => ({
  id: "sha256:0123456789abcdef",
  names: ["assay-sandbox:1"],
  bytes: 911_000_000,
  architecture: "amd64",
  base: "assay-base:debian12",
  packages: [],
  lock: [],
  made_s: 1_764_500_000,
  is_present: true,
  ...part,
});
const own = image({});
const old = image({ id: "sha256:old", names: ["assay-sandbox:0"], is_present: false, bytes: 5e8 });
const derived = image({
  id: "sha256:more",
  names: ["assay-packages:f00"],
  packages: ["humanize"],
  lock: ["humanize==4.15.0"],
});

const stopped: Problem = { code: "stopped", message: "It was stopped.", hint: "", detail: "" };

let there: OwnImage[];
let asked: [string, Record<string, unknown>][];
let progress: (line: ImageProgress) => void;
let stopMaking: () => void;

beforeEach(() => {
  there = [own, old];
  asked = [];
  const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
    images: () => there,
    remove_old_images: () => {
      there = there.filter((each) => each.is_present);
      return [old];
    },
    add_packages: ({ channel }) =>
      new Promise((_, reject) => {
        progress = channel as typeof progress;
        stopMaking = () => reject(stopped);
      }),
    stop_build: () => {
      stopMaking();
      return null;
    },
    pull_image: () => null,
    load_image: () => ["mine:2"],
  };
  setPlatform({
    invoke: async <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      asked.push([name, args]);
      return (await answers[name]?.(args)) as Answer;
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

const calls = (name: string) => asked.filter(([each]) => each === name).map(([, args]) => args);

function InSettings({ start = null }: { start?: string | null }) {
  const [inUse, use] = useState<string | null>(start);
  const images = useImages(async () => undefined);
  return (
    <>
      <ImageCare images={images} inUse={inUse} named={[]} onUse={use} />
      <output>{String(inUse)}</output>
    </>
  );
}

test("each image says what it is and whether it is in use, and old ones go after a question", async () => {
  render(<InSettings />);
  const list = await screen.findByRole("list");
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first?.textContent).toContain("Assay’s sandbox, version 1");
  expect(first?.textContent).toContain("911 MB, for amd64, made here on");
  expect(first?.textContent).toContain("from assay-base:debian12");
  expect(first?.textContent).toContain("In use.");
  expect(second?.textContent).toContain("Old: no question uses it any more.");

  await userEvent.click(screen.getByRole("button", { name: "Remove old images (500 MB)" }));
  const question = await screen.findByRole("dialog");
  expect(question.textContent).toContain("version 0");
  await userEvent.click(within(question).getByRole("button", { name: "Keep them" }));
  expect(calls("remove_old_images")).toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: /Remove old images/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Remove" }));
  expect(await screen.findByText("1 old image removed.")).toBeDefined();
  expect(screen.queryByText(/version 0/)).toBeNull();
});

test("an image with further packages is chosen, and given up again", async () => {
  there = [own, derived];
  render(<InSettings />);
  await userEvent.click(await screen.findByRole("button", { name: "Use With humanize" }));
  expect(screen.getByText("assay-packages:f00", { selector: "output" })).toBeDefined();
  expect(screen.getByText("1 package added, with what they need")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Use Assay’s sandbox, version 1" }));
  expect(screen.getByText("null", { selector: "output" })).toBeDefined();
});

test("making one with packages shows how far it is, and can be stopped", async () => {
  render(<InSettings />);
  const names = await screen.findByRole("textbox", { name: "Extra packages" });
  await userEvent.type(names, "humanize, seaborn == 0.13.2");
  await userEvent.click(screen.getByRole("button", { name: "Make and use it" }));
  expect(calls("add_packages")[0]?.["packages"]).toEqual(["humanize", "seaborn==0.13.2"]);
  progress({ line: "Collecting humanize" });
  await userEvent.click(await screen.findByRole("button", { name: /Stop/ }));
  expect(await screen.findByText("It was stopped.")).toBeDefined();
});

test("one from elsewhere is fetched or loaded, and then used by choice", async () => {
  render(<InSettings />);
  await userEvent.click(await screen.findByText("Fetch or load an image"));
  await userEvent.type(screen.getByRole("textbox", { name: "Name of the image" }), "python:3.12");
  await userEvent.click(screen.getByRole("button", { name: "Fetch it" }));
  await userEvent.click(await screen.findByRole("button", { name: "Use it for every question" }));
  expect(screen.getByText("python:3.12", { selector: "output" })).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Load from a file" }));
  expect(await screen.findByText("mine:2")).toBeDefined();
});

test("names of packages are read as people write them", () => {
  expect(packagesIn(" a, b;c\nd >= 1.0,<2  ")).toEqual(["a", "b", "c", "d>=1.0,<2"]);
  expect(packagesIn("")).toEqual([]);
});

test("what had to stay is said", () => {
  expect(removedWords([old, old], [old])).toBe(
    "1 old image removed. 1 is still used by a sandbox and stays.",
  );
});
