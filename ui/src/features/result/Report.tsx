import { memo, type ReactNode } from "react";
import Markdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import type { Artifact } from "../../api";
import { Figure } from "./Figure";
import { fileOf, target } from "./links";
import { writtenPictures } from "./pictures";

interface ReportProps {
  markdown: string;
  runId: string;
  files: readonly Artifact[];
  /** Opens a file that the report links to. */
  onOpenFile?: (path: string) => void;
  /** Opens a chart large. */
  onOpenChart?: (path: string) => void;
}

const plugins = [remarkGfm, writtenPictures];

/**
 * A report as a page. What it says comes from a model and from files, so it is data: HTML stays
 * text, nothing is fetched from anywhere but the run's own files, and no link leads out.
 */
export const Report = memo(function Report(props: ReportProps) {
  return (
    <article className="report">
      <Markdown remarkPlugins={plugins} components={componentsFor(props)}>
        {props.markdown}
      </Markdown>
    </article>
  );
});

function componentsFor({ runId, files, onOpenFile, onOpenChart }: ReportProps): Components {
  return {
    // The page has its own first heading, so those of the report stand one level lower.
    h1: ({ children }) => <h2 className="report-title">{children}</h2>,
    h2: ({ children }) => <h3>{children}</h3>,
    h3: ({ children }) => <h4>{children}</h4>,
    h4: ({ children }) => <h5>{children}</h5>,
    h5: ({ children }) => <h6>{children}</h6>,
    p: ({ children, node }) => {
      const picture = pictureIn(node);
      if (picture === "none") return <p>{children}</p>;
      return <div className={picture === "alone" ? "report-wide" : ""}>{children}</div>;
    },
    table: ({ children }) => (
      <div className="report-table report-wide" role="region" aria-label="Table" tabIndex={0}>
        <table>{children}</table>
      </div>
    ),
    a: ({ href, children }) => (
      <Link destination={href ?? ""} files={files} onOpenFile={onOpenFile}>
        {children}
      </Link>
    ),
    img: ({ src, alt }) => (
      <Picture
        destination={typeof src === "string" ? src : ""}
        caption={alt ?? ""}
        runId={runId}
        files={files}
        onOpenChart={onOpenChart}
      />
    ),
  };
}

/** A picture makes a block, which must not stand in a paragraph; alone it may take the whole width. */
function pictureIn(node: ExtraProps["node"]): "none" | "alone" | "among words" {
  const parts = node?.children ?? [];
  const isPicture = (part: (typeof parts)[number]) =>
    part.type === "element" && part.tagName === "img";
  const isBlank = (part: (typeof parts)[number]) =>
    part.type === "text" && part.value.trim() === "";
  if (!parts.some(isPicture)) return "none";
  return parts.every((part) => isPicture(part) || isBlank(part)) ? "alone" : "among words";
}

interface LinkProps {
  destination: string;
  files: readonly Artifact[];
  onOpenFile: ReportProps["onOpenFile"];
  children: ReactNode;
}

function Link({ destination, files, onOpenFile, children }: LinkProps) {
  const to = target(destination);
  if (to.kind === "web") return <WebText host={to.host}>{children}</WebText>;
  if (to.kind === "place") {
    return (
      <a
        href={`#${to.id}`}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById(to.id)?.scrollIntoView();
        }}
      >
        {children}
      </a>
    );
  }
  const file = to.kind === "file" ? fileOf(files, to.path) : undefined;
  if (file === undefined || onOpenFile === undefined) return <span>{children}</span>;
  return (
    <button type="button" className="report-link" onClick={() => onOpenFile(file.path)}>
      {children}
    </button>
  );
}

/** What stands for an address on the web: its words and its host, nothing to press. */
function WebText({ host, children }: { host: string; children: ReactNode }) {
  return (
    <span>
      {children} <span className="font-sans text-sm text-quiet">({host})</span>
    </span>
  );
}

interface PictureProps {
  destination: string;
  caption: string;
  runId: string;
  files: readonly Artifact[];
  onOpenChart: ReportProps["onOpenChart"];
}

function Picture({ destination, caption, runId, files, onOpenChart }: PictureProps) {
  const to = target(destination);
  if (to.kind === "web") {
    return <WebText host={to.host}>{caption || "A picture on the web, not shown"}</WebText>;
  }
  const file = to.kind === "file" ? fileOf(files, to.path) : undefined;
  if (file === undefined) {
    const name = to.kind === "file" ? to.path : "A picture";
    return (
      <span className="report-missing">
        {caption && `${caption}: `}
        {name} is not among the files of this run.
      </span>
    );
  }
  return <Figure runId={runId} file={file} caption={caption} onOpen={onOpenChart} />;
}
