import { lazy, Suspense } from "react";

const DrawnFormula = lazy(() =>
  import("./DrawnFormula").then((part) => ({ default: part.DrawnFormula })),
);

/** A formula; what draws it is read only where there is one. */
export function Formula({ tex, display }: { tex: string; display: "inline" | "block" }) {
  return (
    <Suspense fallback={<code dir="ltr">{tex}</code>}>
      <DrawnFormula tex={tex} display={display} />
    </Suspense>
  );
}
