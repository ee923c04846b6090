import { memo, useState } from "react";
import { counted } from "../../shared";
import { lastLines, lineCount, settledLines, shown } from "./printed";
import type { StepOutput } from "./state";

/** Lines shown of a long output until all of it is asked for. */
const LINES = 14;
/** Lines that are laid out together; blocks out of sight are not laid out at all. */
const BLOCK = 100;
/** The height of a line in rem. */
const LINE_HEIGHT = 1.21875;

interface OutputProps {
  output: StepOutput;
  label: string;
  /** The beginning of a line that is marked and scrolled to. */
  line?: string | null;
}

/** What a step printed: the last lines of it, and all of it when asked. */
export const Output = memo(function Output({ output, label, line = null }: OutputProps) {
  // A marked line may lie anywhere.
  const [all, setAll] = useState(line !== null);
  const count = lineCount(output);
  const isLong = count > LINES;
  return (
    <div>
      {isLong && line === null && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="mb-1 rounded-sm text-xs text-accent-ink underline underline-offset-2"
        >
          {all ? `Show the last ${LINES} lines` : `Show all ${counted(count, "line")}`}
        </button>
      )}
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-md border border-line px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre-wrap"
      >
        {line !== null ? (
          <Marked text={shown(output)} line={line} />
        ) : all ? (
          <Blocks text={shown(output)} />
        ) : (
          lastLines(output, LINES).join("\n")
        )}
      </pre>
    </div>
  );
});

/** A text with one of its lines marked, and scrolled to. */
function Marked({ text, line }: { text: string; line: string }) {
  const lines = settledLines(text);
  const start = line.replace(/ …$/, "");
  const at = lines.findIndex((each) => each.trim().startsWith(start));
  if (at < 0) return text;
  return (
    <>
      {lines.slice(0, at).map((each) => `${each}\n`)}
      <mark
        ref={(mark) => mark?.scrollIntoView({ block: "center" })}
        className="rounded-sm bg-accent-wash text-ink outline-1 outline-accent"
      >
        {lines[at]}
      </mark>
      {lines.slice(at + 1).map((each) => `\n${each}`)}
    </>
  );
}

/** A long text in blocks: while more is printed, only the last one changes. */
function Blocks({ text }: { text: string }) {
  const lines = settledLines(text);
  return Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, at) => (
    <Block
      key={at}
      text={lines.slice(at * BLOCK, (at + 1) * BLOCK).join("\n")}
      isLast={(at + 1) * BLOCK >= lines.length}
    />
  ));
}

const Block = memo(function Block({ text, isLast }: { text: string; isLast: boolean }) {
  return (
    <span
      style={{ containIntrinsicHeight: `auto ${BLOCK * LINE_HEIGHT}rem` }}
      className={isLast ? "block" : "block [content-visibility:auto]"}
    >
      {isLast ? text : `${text}\n`}
    </span>
  );
});
