import { Maximize2, Minus, Plus } from "lucide-react";
import { useId, useState, type PointerEvent, type ReactNode } from "react";
import { classes, IconButton } from "../../shared";
import { useZoom, type Zoom } from "./useZoom";

interface ChartViewProps {
  address: string;
  name: string;
  /** More for the row of controls. */
  children?: ReactNode;
  zoom: Zoom;
  onBox: (box: HTMLElement | null) => void;
  onPicture: (picture: HTMLElement | null) => void;
}

/** The zoom of a chart and the two elements it needs; the keys belong on whatever has the focus. */
export function useChartZoom() {
  const [box, onBox] = useState<HTMLElement | null>(null);
  const [picture, onPicture] = useState<HTMLElement | null>(null);
  return { zoom: useZoom(box, picture), onBox, onPicture };
}

/** A chart that can be made larger, and moved when it is larger than its frame. */
export function ChartView(props: ChartViewProps) {
  const { address, name, children, zoom, onBox, onPicture } = props;
  const [ratio, setRatio] = useState(12 / 5);
  const id = useId();
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <div role="group" aria-label="Size" className="flex items-center gap-1">
          <IconButton
            label="Smaller"
            icon={<Minus size={16} aria-hidden />}
            disabled={!zoom.canShrink}
            onClick={zoom.smaller}
          />
          <span role="status" className="min-w-12 text-center text-quiet">
            {Math.round(zoom.scale * 100)} %
          </span>
          <IconButton
            label="Larger"
            icon={<Plus size={16} aria-hidden />}
            disabled={!zoom.canGrow}
            onClick={zoom.larger}
          />
          <IconButton
            label="Show all of it"
            icon={<Maximize2 size={15} aria-hidden />}
            disabled={!zoom.canShrink}
            onClick={zoom.fit}
          />
        </div>
        {children}
      </div>
      <div
        ref={onBox}
        role="region"
        aria-label="Chart"
        aria-describedby={id}
        tabIndex={0}
        {...(zoom.canShrink ? dragged : {})}
        className={classes(
          "grid h-[56vh] overflow-auto rounded-md border border-line bg-chart p-2",
          zoom.canShrink && "cursor-grab touch-none active:cursor-grabbing",
        )}
      >
        <img
          ref={onPicture}
          src={address}
          alt={name}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            if (naturalWidth > 0 && naturalHeight > 0) setRatio(naturalWidth / naturalHeight);
          }}
          style={{
            aspectRatio: ratio,
            width: `calc(${zoom.scale} * min(100%, (56vh - 1.125rem) * ${ratio}))`,
          }}
          className="m-auto block max-w-none"
        />
      </div>
      <p id={id} hidden>
        Plus and minus change the size, 0 shows all of it, the arrow keys move it.
      </p>
    </div>
  );
}

/** The pointer takes hold of the picture and moves it under the frame. */
const dragged = {
  onPointerDown: (event: PointerEvent<HTMLElement>) => {
    if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
  },
  onPointerMove: (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget;
    if (box.hasPointerCapture(event.pointerId)) box.scrollBy(-event.movementX, -event.movementY);
  },
};

/** What the keys of a chart do; true when the key was one of them. */
export function zoomByKey(zoom: Zoom, key: string): boolean {
  const keys: Record<string, () => void> = {
    "+": zoom.larger,
    "=": zoom.larger,
    "-": zoom.smaller,
    "0": zoom.fit,
  };
  keys[key]?.();
  return key in keys;
}
