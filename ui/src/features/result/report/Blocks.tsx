import type { Block, Inline } from "../../../api";
import { Formula } from "./Formula";
import { Inlines } from "./Inlines";
import { List } from "./List";
import { headingId, usePage } from "./page";
import { Table } from "./Table";
import { holdsPicture, isPictures } from "./words";

interface BlocksProps {
  blocks: readonly Block[];
  /** What stands for itself reads in its own direction, what stands within it in the same. */
  dir?: "auto";
}

/** Parts of a report, one below the other. */
export function Blocks({ blocks, dir }: BlocksProps) {
  return blocks.map((block, at) => <BlockView key={at} block={block} dir={dir} />);
}

function BlockView({ block, dir }: { block: Block; dir: BlocksProps["dir"] }) {
  switch (block.block) {
    case "heading":
      return <Heading heading={block} dir={dir} />;
    case "paragraph":
      return <Paragraph content={block.content} dir={dir} />;
    case "quote":
      return (
        <blockquote dir={dir}>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List list={block} dir={dir} />;
    case "code":
      return (
        <pre dir="ltr" role="region" aria-label="Code" tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "formula":
      return (
        <div className="report-formulas" role="region" aria-label="Formula" tabIndex={0}>
          <Formula tex={block.tex} display="block" />
        </div>
      );
    case "table":
      return <Table table={block} dir={dir} />;
    case "rule":
      return <hr />;
  }
}

type HeadingBlock = Extract<Block, { block: "heading" }>;

/** The page has its own first heading, so those of the report stand one level lower. */
const LEVELS = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

function Heading({ heading, dir }: { heading: HeadingBlock; dir: BlocksProps["dir"] }) {
  const page = usePage();
  const Level = LEVELS[heading.level - 1] ?? "h6";
  return (
    <Level
      id={headingId(page, heading.id)}
      tabIndex={-1}
      dir={dir}
      className={heading.level === 1 ? "report-title" : undefined}
    >
      <Inlines content={heading.content} />
    </Level>
  );
}

/** A picture makes a block, which must not stand in a paragraph; alone it may take the whole width. */
function Paragraph({ content, dir }: { content: Inline[]; dir: BlocksProps["dir"] }) {
  const Part = holdsPicture(content) ? "div" : "p";
  const isWide = Part === "div" && isPictures(content);
  return (
    <Part dir={dir} className={isWide ? "report-wide" : undefined}>
      <Inlines content={content} />
    </Part>
  );
}
