import { memo, useState } from "react";
import { counted } from "../../shared";
import { shown } from "./printed";
import type { StepOutput } from "./state";

/** Lines shown of a long output until all of it is asked for. */
const LINES = 14;

/** Lines as a terminal would leave them: what follows a carriage return takes the line's place. */
export function settledLines(text: string): string[] {
  return text
    .replace(/\r\n/g, "\n")
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const parts = line.split("\r").filter((part) => part !== "");
      return parts.at(-1) ?? "";
    });
}

/** What a step printed: the last lines of it, and all of it when asked. */
export const Output = memo(function Output({
  output,
  label,
}: {
  output: StepOutput;
  label: string;
}) {
  const [all, setAll] = useState(false);
  const lines = settledLines(shown(output));
  const isLong = lines.length > LINES;
  const visible = all || !isLong ? lines : lines.slice(-LINES);
  return (
    <div>
      {isLong && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="mb-1 rounded-sm text-xs text-accent-ink underline underline-offset-2"
        >
          {all ? `Show the last ${LINES} lines` : `Show all ${counted(lines.length, "line")}`}
        </button>
      )}
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-md border border-line px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre-wrap"
      >
        {visible.join("\n")}
      </pre>
    </div>
  );
});
