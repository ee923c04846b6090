import type { Inline } from "../../../api";
import { FigureText } from "./FigureText";
import { Formula } from "./Formula";
import { Link } from "./Link";
import { NoteNumber } from "./Notes";
import { Picture } from "./Picture";

/** Whether words stand by themselves or are what is pressed: nothing to press may stand within that. */
export type Standing = "free" | "pressed";

interface InlinesProps {
  content: readonly Inline[];
  standing?: Standing;
}

/** The parts of a line. */
export function Inlines({ content, standing = "free" }: InlinesProps) {
  return content.map((inline, at) => <InlineView key={at} inline={inline} standing={standing} />);
}

function InlineView({ inline, standing }: { inline: Inline; standing: Standing }) {
  switch (inline.inline) {
    case "text":
      return inline.text;
    case "figure":
      return <FigureText text={inline.text} number={inline.number} standing={standing} />;
    case "emphasis":
      return (
        <em>
          <Inlines content={inline.content} standing={standing} />
        </em>
      );
    case "strong":
      return (
        <strong>
          <Inlines content={inline.content} standing={standing} />
        </strong>
      );
    case "struck":
      return (
        <del>
          <Inlines content={inline.content} standing={standing} />
        </del>
      );
    case "code":
      return <code>{inline.text}</code>;
    case "formula":
      return <Formula tex={inline.tex} display="inline" />;
    case "link":
      return <Link to={inline.to} content={inline.content} />;
    case "picture":
      return <Picture to={inline.to} alt={inline.alt} />;
    case "note":
      return <NoteNumber number={inline.number} standing={standing} />;
    case "break":
      return <br />;
  }
}
