import { useCallback, useState } from "react";
import {
  addPackages,
  images,
  loadImage,
  pullImage,
  removeOldImages,
  within,
  type EngineChoice,
  type ImageProgress,
  type OwnImage,
} from "../../api";
import { useCall, type Call } from "../../shared";
import { linesAfter } from "../trouble";

/** What is done about images; it may take minutes. */
export type ImageWork =
  { kind: "packages"; packages: string[] } | { kind: "pull"; name: string } | { kind: "load" };

export interface KnownImages {
  /** The engine that they are on. */
  engine: EngineChoice;
  onEngine: (engine: EngineChoice) => void;
  /** What was seen last there. */
  seen: Call<OwnImage[]>;
  look: () => Promise<unknown>;
  /** The work that was begun last, and what came of it: the names of images that are there now. */
  work: ImageWork | null;
  working: Call<string[]>;
  lines: ImageProgress[];
  begin: (work: ImageWork) => Promise<unknown>;
  /** Removes the old ones and answers what is gone. Rejects with a `Problem`. */
  removeOld: () => Promise<OwnImage[]>;
}

const usual: EngineChoice = { kind: "usual" };

/** The images on an engine. What is being made goes on while another page is shown. */
export function useImages(onSettings: () => Promise<void>): KnownImages {
  const [engine, onEngine] = useState(usual);
  const [work, setWork] = useState<ImageWork | null>(null);
  const [lines, setLines] = useState<ImageProgress[]>([]);
  const [seen, ask] = useCall((on: EngineChoice) =>
    within(60, images(on), "The engine did not say within a minute which images it has."),
  );
  const look = useCallback(() => ask(engine), [ask, engine]);
  const [working, begin] = useCall(async (next: ImageWork) => {
    setWork(next);
    setLines([]);
    const heard = (progress: ImageProgress) => setLines((before) => linesAfter(before, progress));
    const made = await carryOut(next, engine, heard);
    if (next.kind === "packages") await onSettings();
    void ask(engine);
    return made;
  });
  const removeOld = async () => {
    const removed = await within(300, removeOldImages(engine));
    void ask(engine);
    return removed;
  };
  return { engine, onEngine, seen, look, work, working, lines, begin, removeOld };
}

async function carryOut(
  work: ImageWork,
  engine: EngineChoice,
  heard: (progress: ImageProgress) => void,
): Promise<string[]> {
  switch (work.kind) {
    case "packages":
      await addPackages(work.packages, heard);
      return [];
    case "pull":
      await pullImage(engine, work.name, heard);
      return [work.name];
    case "load":
      return loadImage(engine, heard);
  }
}
