import { classes } from "../../../shared";
import { againWords } from "./changeWords";
import type { Compared } from "./useComparison";

interface AgainLineProps {
  compared: Compared;
  onOpen: () => void;
}

/** That a run does an earlier one again, and how much changed; leads to the whole of it. */
export function AgainLine({ compared, onOpen }: AgainLineProps) {
  const { again, call } = compared;
  return (
    <p className="mb-3 pl-[1.15rem]">
      <button
        type="button"
        onClick={onOpen}
        className={classes(
          "rounded-sm text-left break-words text-quiet underline decoration-line-strong decoration-1",
          "underline-offset-3 transition-colors duration-150 hover:text-accent-ink",
        )}
      >
        {againWords(again.file.now, call.state === "done" ? call.answer : null)}
      </button>
    </p>
  );
}
