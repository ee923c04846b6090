import { useEffect, type FocusEvent, type KeyboardEvent, type RefObject } from "react";

const ALL = "[data-mark]";
const MISSING = "[data-mark=missing]";

/** The mark in which something happened. */
export const markAt = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(ALL) : null;

/**
 * The ways of the keyboard through hundreds of marks. Tab comes to one of them: at first to one that was not
 * found, if there is any, and then to the one that was looked at last. From there the arrows lead to the
 * neighbours, Home and End to the first and the last, N and Shift+N to the next and the last one not found.
 * Which mark is the stop is kept in the page alone, so that nothing is drawn again when it changes.
 */
export function useMarkKeys(
  place: RefObject<HTMLElement | null>,
  marks: readonly unknown[],
  press: (mark: HTMLElement) => void,
) {
  useEffect(() => {
    const within = place.current;
    if (within === null || within.querySelector(`${ALL}[tabindex="0"]`) !== null) return;
    const stop = within.querySelector<HTMLElement>(MISSING) ?? within.querySelector(ALL);
    stop?.setAttribute("tabindex", "0");
  }, [place, marks]);

  const onFocus = (event: FocusEvent) => {
    const mark = markAt(event.target);
    if (mark === null) return;
    place.current?.querySelector(`${ALL}[tabindex="0"]`)?.setAttribute("tabindex", "-1");
    mark.setAttribute("tabindex", "0");
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const mark = markAt(event.target);
    if (mark === null || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      press(mark);
      return;
    }
    const next = place.current && neighbour(place.current, mark, event);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return { onFocus, onKeyDown };
}

function neighbour(place: HTMLElement, mark: HTMLElement, { key, shiftKey }: KeyboardEvent) {
  const all = [...place.querySelectorAll<HTMLElement>(ALL)];
  const at = all.indexOf(mark);
  const isMissing = (each: HTMLElement) => each.matches(MISSING);
  const [before, after] = ["ArrowLeft", "ArrowRight"];
  const isMirrored = getComputedStyle(mark).direction === "rtl";
  switch (key) {
    case isMirrored ? before : after:
      return all[at + 1];
    case isMirrored ? after : before:
      return all[at - 1];
    case "Home":
      return all[0];
    case "End":
      return all.at(-1);
    case "n":
      return all.slice(at + 1).find(isMissing);
    case "N":
      return shiftKey ? all.slice(0, at).findLast(isMissing) : undefined;
    default:
      return undefined;
  }
}
