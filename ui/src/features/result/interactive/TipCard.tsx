import { useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import type { Tip } from "./tip";

const GAP = 14;

interface TipCardProps {
  tip: Tip;
  /** The sheet on which it lies. */
  sheet: HTMLElement;
}

/** The values of a mark, beside the pointer and within the window. */
export function TipCard({ tip, sheet }: TipCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = card.current;
    if (shown === null) return;
    const { width, height } = shown.getBoundingClientRect();
    const beside = (at: number, size: number, most: number) =>
      at + GAP + size <= most ? at + GAP : Math.max(0, at - GAP - size);
    // A sheet that is moved by a transform is what its parts are placed by.
    const { x, y } = sheet.getBoundingClientRect();
    shown.style.left = `${beside(tip.x, width, window.innerWidth) - x - sheet.clientLeft}px`;
    shown.style.top = `${beside(tip.y, height, window.innerHeight) - y - sheet.clientTop}px`;
  }, [tip, sheet]);
  return createPortal(
    <div
      ref={card}
      role="tooltip"
      className="pointer-events-none absolute z-50 max-w-80 rounded-sm bg-ink px-2.5 py-1.5 text-sm text-paper"
    >
      <dl className="grid grid-cols-[auto_auto] gap-x-3">
        {tip.rows.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="opacity-80">{name}</dt>
            <dd className="text-right tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </div>,
    sheet,
  );
}
