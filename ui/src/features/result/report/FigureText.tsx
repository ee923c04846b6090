import type { Standing } from "./Inlines";
import { useMark } from "./page";

interface FigureTextProps {
  text: string;
  number: number;
  standing: Standing;
}

/**
 * A number, a date or quoted words. Once it is known where it comes from it is underlined and can be pressed;
 * what a press does, and which of them Tab comes to, is up to `CheckedReport`. It stays the same piece of
 * text, so that nothing moves and what is marked for copying stays marked.
 */
export function FigureText({ text, number, standing }: FigureTextProps) {
  const mark = useMark(number);
  if (mark === null || standing === "pressed") return <span>{text}</span>;
  return (
    <span
      role="button"
      tabIndex={-1}
      data-mark={mark}
      data-number={number}
      aria-label={mark === "missing" ? `${text}, not found` : undefined}
    >
      {text}
    </span>
  );
}
