import { useVirtualizer } from "@tanstack/react-virtual";
import { Copy } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { SentPart } from "../../api";
import { Button, counted } from "../../shared";
import { textBlocks } from "./textBlocks";

/** About so many pixels for a block, until it has been measured. */
const BLOCK_HEIGHT = 240;

/** The exact text of a request, of which only what is in sight is drawn. */
export function SentText({ parts, label }: { parts: SentPart[]; label: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const blocks = useMemo(() => textBlocks(parts), [parts]);
  const marked = useMemo(() => parts.filter((part) => part.from_files).length, [parts]);
  const rows = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => BLOCK_HEIGHT,
    overscan: 2,
  });
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="text-sm text-quiet">
          {marked === 0 ? (
            "No word of it stands in a cell of the files."
          ) : (
            <>
              <mark className={MARK}>Marked</mark>: {counted(marked, "place")} with words that stand
              in cells of the files.
            </>
          )}
        </p>
        <CopyButton parts={parts} />
      </div>
      <div
        ref={scroller}
        role="region"
        aria-label={label}
        tabIndex={0}
        className="h-[52vh] overflow-auto rounded-md border border-line bg-paper px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre-wrap"
      >
        <div style={{ height: rows.getTotalSize() }} className="relative">
          {rows.getVirtualItems().map((item) => (
            <div
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              style={{ top: item.start }}
              className="absolute inset-x-0"
            >
              {blocks[item.index]?.map((part, at) =>
                part.from_files ? (
                  <mark key={at} className={MARK}>
                    {part.text}
                  </mark>
                ) : (
                  part.text
                ),
              )}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

const MARK = "rounded-sm bg-accent-wash px-0.5 text-accent-ink";

function CopyButton({ parts }: { parts: SentPart[] }) {
  const [copied, setCopied] = useState<"no" | "yes" | "refused">("no");
  const copy = () => {
    navigator.clipboard.writeText(parts.map(({ text }) => text).join("")).then(
      () => setCopied("yes"),
      () => setCopied("refused"),
    );
  };
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="text-sm text-quiet">
        {copied === "yes" && "Copied"}
        {copied === "refused" && "This computer did not allow it."}
      </span>
      <Button icon={<Copy size={14} aria-hidden="true" />} onClick={copy}>
        Copy the text
      </Button>
    </div>
  );
}
