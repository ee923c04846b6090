import { Maximize2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { IconButton, Spinner } from "../../../shared";
import { MAX_BYTES, readChart, Unfit } from "./chart";
import type { Drawn } from "./draw";
import { withGrips } from "./grips";
import type { Tip } from "./tip";
import { TipCard } from "./TipCard";

interface InteractiveChartProps {
  /** Where the chart's file is read. */
  address: string;
  name: string;
  /** More for the row of controls. */
  children?: ReactNode;
  /** Hears why the chart cannot be drawn, as the end of a sentence. */
  onUnfit: (reason: string) => void;
}

/** A chart that answers to the pointer: it tells its values, and its axes can be zoomed and moved. */
export function InteractiveChart({ address, name, children, onUnfit }: InteractiveChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [sheet, setSheet] = useState<HTMLElement | null>(null);
  const [tip, setTip] = useState<Tip | null>(null);
  const [isReady, setReady] = useState(false);
  const [turn, setTurn] = useState(0);
  const unfit = useRef(onUnfit);
  useEffect(() => {
    unfit.current = onUnfit;
  });

  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    setSheet(host.closest<HTMLElement>("[role=dialog]") ?? document.body);
    let isWanted = true;
    let drawn: Drawn | null = null;
    const begin = async () => {
      const chart = withGrips(readChart(await textAt(address)));
      const { draw } = await import("./draw");
      if (!isWanted) return;
      drawn = await draw(chart, host, name, (tip) => isWanted && setTip(tip));
      if (isWanted) setReady(true);
      else drawn.finish();
    };
    begin().catch((error: unknown) => {
      if (isWanted) unfit.current(error instanceof Unfit ? error.message : "it could not be read");
    });
    return () => {
      isWanted = false;
      drawn?.finish();
    };
  }, [address, name, turn]);

  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <IconButton
          label="Show all of it"
          icon={<Maximize2 size={15} aria-hidden />}
          disabled={!isReady}
          onClick={() => setTurn((before) => before + 1)}
        />
        {children}
      </div>
      <div
        role="region"
        aria-label="Interactive chart"
        aria-busy={!isReady}
        tabIndex={0}
        className="relative h-[56vh] overflow-auto rounded-md border border-line bg-chart p-2"
      >
        <div ref={place} className="size-full" />
        {!isReady && (
          <p className="absolute inset-0 grid place-items-center text-[#4a5361]" role="status">
            <span className="flex items-center gap-2">
              <Spinner /> Drawing
            </span>
          </p>
        )}
      </div>
      <p className="mt-2 text-sm text-quiet">
        The pointer tells values, the wheel zooms, a drag moves, a double click shows all again.
      </p>
      {tip !== null && sheet !== null && <TipCard tip={tip} sheet={sheet} />}
    </div>
  );
}

async function textAt(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Unfit("its file is not there any more");
  const bytes = await answer.blob();
  if (bytes.size > MAX_BYTES) throw new Unfit("its file is too large");
  return bytes.text();
}
