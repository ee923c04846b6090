import type { ImageProgress, OwnImage, Problem } from "../../api/types";
import { keptSettings } from "./connect";
import { pause, scene } from "./scene";

/** The images of the practice host, and work on them that can be stopped. */

const own: OwnImage = {
  id: "sha256:6f0c2a71b3d94e58",
  names: ["assay-sandbox:2"],
  bytes: 903_000_000,
  made_s: 1_764_374_400,
  architecture: "amd64",
  base: null,
  packages: [],
  lock: [],
  is_present: true,
};

let all: OwnImage[] = [
  own,
  {
    ...own,
    id: "sha256:1c77f0de",
    names: ["assay-packages:4be8a1c02d11"],
    bytes: 911_000_000,
    packages: ["humanize<5", "seaborn==0.13.2"],
    lock: ["humanize==4.15.0", "seaborn==0.13.2"],
  },
];
if (scene.images === "old") {
  all = [
    ...all,
    {
      ...own,
      id: "sha256:0a11",
      names: ["assay-sandbox:1"],
      made_s: 1_750_000_000,
      bytes: 870_000_000,
      base: "registry.example.org/python:3.13",
      is_present: false,
    },
    { ...own, id: "sha256:93e1b2c4d5e6f708", names: [], made_s: 1_749_000_000, is_present: false },
  ];
}

type Sink = (progress: ImageProgress) => void;

const stopped: Problem = {
  code: "stopped",
  message: "Stopped.",
  hint: "What was finished is kept.",
  detail: "",
};

let working = 0;

async function work(line: string, name: string, heard: Sink): Promise<void> {
  const mine = (working += 1);
  const total_bytes = 48_000_000;
  for (let moment = 1; moment <= 12; moment += 1) {
    await pause(scene.pace);
    if (mine !== working) throw stopped;
    heard({ line, part: { name, done_bytes: (total_bytes / 12) * moment, total_bytes } });
  }
}

export const images = () => all;

export async function addPackages(packages: string[], heard: Sink): Promise<void> {
  heard({ line: "Step 1/4 : FROM assay-sandbox:2" });
  await work("Installing", packages.join(" "), heard);
  const made = {
    ...own,
    id: `sha256:${packages.join("")}`,
    names: [`assay-packages:${packages.length}f00d`],
    packages,
    lock: packages,
  };
  all = [made, ...all];
  keptSettings.write({ ...keptSettings.read(), image: made.names[0] ?? null });
}

export async function pullImage(name: string, heard: Sink): Promise<void> {
  await work("Downloading", "3f9d2c81", heard);
  heard({ line: `Status: Downloaded newer image for ${name}` });
}

export async function loadImage(heard: Sink): Promise<string[]> {
  await work("Reading", "sandbox.tar", heard);
  return ["registry.example.org/lab/python:3.13"];
}

export function removeOldImages(): OwnImage[] {
  const old = all.filter((image) => !image.is_present);
  all = all.filter((image) => image.is_present);
  return old;
}

export function stopImageWork(): void {
  working += 1;
}
