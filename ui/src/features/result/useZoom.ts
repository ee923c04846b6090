import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const MOST = 8;
const STEP = 1.25;

/** How large a picture is drawn, as a multiple of the size at which all of it is seen. */
export interface Zoom {
  scale: number;
  canGrow: boolean;
  canShrink: boolean;
  larger: () => void;
  smaller: () => void;
  fit: () => void;
}

/**
 * Zooming of a picture in a box that scrolls: by calls, by the wheel over the box, and by pinching.
 * What is under the pointer, else in the middle of the box, stays where it is.
 */
export function useZoom(box: HTMLElement | null, picture: HTMLElement | null): Zoom {
  const [scale, setScale] = useState(1);
  const anchor = useRef<Anchor | null>(null);

  const zoomTo = useCallback(
    (next: (scale: number) => number, at?: { x: number; y: number }) => {
      anchor.current = box && picture && anchorAt(box, picture, at);
      setScale((before) => Math.min(MOST, Math.max(1, next(before))));
    },
    [box, picture],
  );

  useLayoutEffect(() => {
    if (box && picture && anchor.current) hold(box, picture, anchor.current);
    anchor.current = null;
  }, [box, picture, scale]);

  useEffect(() => {
    if (box === null) return;
    const turn = (event: WheelEvent) => {
      const shrinks = event.deltaY > 0;
      // Where the wheel has nothing to shrink, or the page is scrolled, it scrolls the page.
      if (!event.ctrlKey && scale === 1 && (shrinks || isScrolled(box))) return;
      event.preventDefault();
      const strength = event.ctrlKey ? 0.01 : 0.002;
      const factor = Math.exp(-event.deltaY * strength);
      zoomTo((before) => snapped(before * factor), { x: event.clientX, y: event.clientY });
    };
    box.addEventListener("wheel", turn, { passive: false });
    return () => box.removeEventListener("wheel", turn);
  }, [box, scale, zoomTo]);

  return {
    scale,
    canGrow: scale < MOST,
    canShrink: scale > 1,
    larger: () => zoomTo((before) => before * STEP),
    smaller: () => zoomTo((before) => snapped(before / STEP)),
    fit: () => zoomTo(() => 1),
  };
}

const snapped = (scale: number) => (scale < 1.05 ? 1 : scale);

/** A place on the picture, in parts of its size, and where it is on the screen. */
interface Anchor {
  across: number;
  down: number;
  x: number;
  y: number;
}

function anchorAt(box: HTMLElement, picture: HTMLElement, at?: { x: number; y: number }): Anchor {
  const frame = box.getBoundingClientRect();
  const drawn = picture.getBoundingClientRect();
  const { x, y } = at ?? { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
  return { across: (x - drawn.x) / drawn.width, down: (y - drawn.y) / drawn.height, x, y };
}

function hold(box: HTMLElement, picture: HTMLElement, { across, down, x, y }: Anchor): void {
  const drawn = picture.getBoundingClientRect();
  box.scrollLeft += drawn.x + across * drawn.width - x;
  box.scrollTop += drawn.y + down * drawn.height - y;
}

function isScrolled(box: HTMLElement): boolean {
  for (let outer = box.parentElement; outer !== null; outer = outer.parentElement) {
    if (outer.scrollTop > 0) return true;
  }
  return false;
}
