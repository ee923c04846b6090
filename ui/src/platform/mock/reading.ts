import type { Problem, ReadingProgress } from "../../api/types";
import { pause, scene } from "./scene";

let stopped = false;

const stop: Problem = {
  code: "input",
  message: "Reading the file was stopped.",
  hint: "Choose the file again to read it.",
  detail: "",
};

/** Reads a file of 1 GB, a tenth at a time. */
export async function readThrough(heard: (progress: ReadingProgress) => void): Promise<void> {
  stopped = false;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    await pause(scene.pace / 5);
    if (stopped) throw stop;
    heard({ bytes: tenth * 1e8, of: 1e9 });
  }
}

export function stopReading(): null {
  stopped = true;
  return null;
}
