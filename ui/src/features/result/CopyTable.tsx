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
      <Button
        className="ml-auto"
        icon={<Copy size={15} aria-hidden />}
        busy={copying.state === "busy"}
        title="Copies all rows, to be pasted into a spreadsheet"
        onClick={() => void copy()}
      >
        Copy
      </Button>
      <p role="status" className="text-sm text-quiet empty:hidden">
        {copying.state === "done" && ["Copied.", copying.answer].filter(Boolean).join(" ")}
      </p>
      {copying.state === "failed" && <ProblemCard problem={copying.problem} className="w-full" />}
    </>
  );
}
