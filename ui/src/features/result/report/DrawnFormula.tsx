import { useLayoutEffect, useMemo, useRef } from "react";
import { mathOf } from "./math";

interface FormulaProps {
  tex: string;
  display: "inline" | "block";
}

/** A formula; one that cannot be read is shown letter by letter. */
export function DrawnFormula({ tex, display }: FormulaProps) {
  const math = useMemo(() => mathOf(tex, display), [tex, display]);
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (math !== null) place.current?.replaceChildren(math);
  }, [math]);
  if (math === null) return <code dir="ltr">{tex}</code>;
  return <span ref={place} dir="ltr" className="report-formula" />;
}
