import { Copy } from "lucide-react";
import { copyTable } from "../../api";
import { Button, ProblemCard, useCall } from "../../shared";
import { copyWords } from "./copyWords";

interface CopyTableProps {
  runId: string;
  path: string;
}

/** Copies a whole table, as spreadsheets take it. */
export function CopyTable({ runId, path }: CopyTableProps) {
  const [copying, copy] = useCall(() => copyWords(copyTable(runId, path), "plain"));
  return (
    <>
      <div className="flex flex-[1_1_16rem] items-center justify-end gap-3">
        <p role="status" className="min-w-0 text-right text-sm text-quiet">
          {copying.state === "done" && ["Copied.", copying.answer].filter(Boolean).join(" ")}
        </p>
        <Button
          className="shrink-0"
          icon={<Copy size={15} aria-hidden />}
          busy={copying.state === "busy"}
          title="Copies all rows, to be pasted into a spreadsheet"
          onClick={() => void copy()}
        >
          Copy
        </Button>
      </div>
      {copying.state === "failed" && <ProblemCard problem={copying.problem} className="w-full" />}
    </>
  );
}
