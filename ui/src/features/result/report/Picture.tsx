import type { Target } from "../../../api";
import { Figure } from "../Figure";
import { FileLink, WebText } from "./Link";
import { usePage } from "./page";

interface PictureProps {
  to: Target;
  alt: string;
}

/** A picture of the run; for any other there are words. */
export function Picture({ to, alt }: PictureProps) {
  const { runId, files, onOpenChart } = usePage();
  if (to.to === "place") return alt;
  if (to.to === "web") {
    const words = alt || "A picture on the web, not shown";
    return (
      <WebText address={to.address} words={words}>
        {words}
      </WebText>
    );
  }
  const file = to.to === "file" ? files.find(({ path }) => path === to.path) : undefined;
  if (file === undefined) {
    return (
      <span className="report-missing">
        {alt && `${alt}: `}
        {to.path || "A picture"} is not among the files of this run.
      </span>
    );
  }
  if (file.kind !== "chart") return <FileLink path={file.path}>{alt || file.path}</FileLink>;
  return <Figure runId={runId} file={file} caption={alt} onOpen={onOpenChart} />;
}
