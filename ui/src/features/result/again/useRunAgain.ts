import { useCallback, useState } from "react";
import {
  asProblem,
  checkNewFile,
  chooseFiles,
  within,
  type FileCard,
  type MovedColumn,
  type NewFileCheck,
  type Problem,
} from "../../../api";
import { startAgain } from "../../run/start";
import { needsWord } from "./mapping";

/** What is asked of the shell. */
interface Wish {
  file: string;
  columns: MovedColumn[];
}

/** How far doing a run again has come. */
export type RunningAgain =
  | { state: "idle" }
  /** A file is chosen and looked at, or the new run begins. */
  | { state: "busy" }
  /** The person has to say or to know something first. */
  | { state: "asking"; file: FileCard; check: NewFileCheck }
  /** None of the chosen files can be used. */
  | { state: "refused"; problems: Problem[] }
  /** The new run could not begin. */
  | { state: "failed"; problem: Problem; wish: Wish };

/** Does a run again on a file that the person chooses. */
export function useRunAgain(runId: string, onStarted: (run: string) => void) {
  const [running, setRunning] = useState<RunningAgain>({ state: "idle" });

  const start = useCallback(
    async (file: string, columns: MovedColumn[]) => {
      setRunning({ state: "busy" });
      try {
        const begun = startAgain(runId, file, columns);
        const run = await within(120, begun, "The run did not start within two minutes.");
        setRunning({ state: "idle" });
        onStarted(run);
      } catch (thrown) {
        setRunning({ state: "failed", problem: asProblem(thrown), wish: { file, columns } });
      }
    },
    [runId, onStarted],
  );

  const choose = useCallback(async () => {
    setRunning({ state: "busy" });
    try {
      const { files, problems } = await chooseFiles();
      const [file] = files;
      if (file === undefined) {
        setRunning(problems.length === 0 ? { state: "idle" } : { state: "refused", problems });
        return;
      }
      const check = await within(120, checkNewFile(runId, file.id));
      if (needsWord(check)) setRunning({ state: "asking", file, check });
      else await start(file.id, []);
    } catch (thrown) {
      setRunning({ state: "refused", problems: [asProblem(thrown)] });
    }
  }, [runId, start]);

  const forget = useCallback(() => setRunning({ state: "idle" }), []);
  return { running, choose, start, forget };
}
