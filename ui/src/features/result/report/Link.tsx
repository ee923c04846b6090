import type { ReactNode } from "react";
import type { Inline, Target } from "../../../api";
import { Inlines } from "./Inlines";
import { goTo, headingId, usePage } from "./page";
import { holdsPicture, hostOf, wordsOf } from "./words";

interface LinkProps {
  to: Target;
  content: Inline[];
}

/** A link as far as it leads within the run; elsewhere it is words. */
export function Link({ to, content }: LinkProps) {
  const page = usePage();
  if (to.to === "web") {
    return (
      <WebText address={to.address} words={wordsOf(content)}>
        <Inlines content={content} />
      </WebText>
    );
  }
  // A picture can be pressed by itself.
  if (to.to === "missing" || holdsPicture(content)) return <Inlines content={content} />;
  if (to.to === "file") {
    return (
      <FileLink path={to.path}>
        <Inlines content={content} standing="pressed" />
      </FileLink>
    );
  }
  const id = headingId(page, to.id);
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault();
        goTo(document.getElementById(id));
      }}
    >
      <Inlines content={content} standing="pressed" />
    </a>
  );
}

/** Words that open a file of the run, where it can be opened. */
export function FileLink({ path, children }: { path: string; children: ReactNode }) {
  const { files, onOpenFile } = usePage();
  const isThere = files.some((file) => file.path === path);
  if (!isThere || onOpenFile === undefined) return <span>{children}</span>;
  return (
    <button type="button" className="report-link" onClick={() => onOpenFile(path)}>
      {children}
    </button>
  );
}

interface WebTextProps {
  address: string;
  /** The same words as the children, to see whether they name the host already. */
  words: string;
  children: ReactNode;
}

/** What stands for an address on the web: its words and its host, nothing to press. */
export function WebText({ address, words, children }: WebTextProps) {
  const host = hostOf(address);
  if (words.trim() === host) return children;
  return (
    <span>
      {children} <span className="font-sans text-sm text-quiet">({host})</span>
    </span>
  );
}
