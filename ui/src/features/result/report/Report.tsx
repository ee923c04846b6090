import { memo, useId, useMemo } from "react";
import type { Artifact, Document } from "../../../api";
import { Blocks } from "./Blocks";
import type { Mark } from "./marks";
import { Notes } from "./Notes";
import { MarksContext, PageContext } from "./page";
import "./report.css";

interface ReportProps {
  document: Document;
  runId: string;
  files: readonly Artifact[];
  /** How each figure is marked, by its number; none is while nothing is known. */
  marks?: readonly (Mark | null)[];
  /** Opens a file that the report links to. */
  onOpenFile?: (path: string) => void;
  /** Opens a chart large. */
  onOpenChart?: (path: string) => void;
}

const unmarked: readonly (Mark | null)[] = [];

/**
 * A report as a page. What it says comes from a model and from files, so it is data: nothing is
 * fetched from anywhere but the run's own files, and no link leads out.
 */
export function Report({ marks = unmarked, ...page }: ReportProps) {
  return (
    <MarksContext value={marks}>
      <Page {...page} />
    </MarksContext>
  );
}

const Page = memo(function Page(props: Omit<ReportProps, "marks">) {
  const { document, runId, files, onOpenFile, onOpenChart } = props;
  const prefix = useId();
  const page = useMemo(
    () => ({ runId, files, onOpenFile, onOpenChart, prefix }),
    [runId, files, onOpenFile, onOpenChart, prefix],
  );
  return (
    <PageContext value={page}>
      <article className="report">
        <Blocks blocks={document.blocks} dir="auto" />
        <Notes notes={document.notes} />
      </article>
    </PageContext>
  );
});
