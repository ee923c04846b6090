import type { Step } from "./state";

const WORDS = { working: "going on", good: "done", failed: "did not work" } as const;

/** What the mark says, for those who hear it. */
export function markWords(state: Step["state"]): string {
  return WORDS[state];
}

/** The small square of a step: filled when good, crossed when it failed, open while it goes on. */
export function StepMark({ state }: { state: Step["state"] }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden className="size-2.5 shrink-0">
      {state === "good" && <rect width="10" height="10" rx="1.5" className="fill-found" />}
      {state === "failed" && (
        <>
          <rect
            x="0.75"
            y="0.75"
            width="8.5"
            height="8.5"
            rx="1.5"
            className="fill-none stroke-missing"
            strokeWidth="1.5"
          />
          <path
            d="M3 3l4 4M7 3l-4 4"
            className="stroke-missing"
            strokeWidth="1.5"
            strokeLinecap="round"
          />
        </>
      )}
      {state === "working" && (
        <rect
          x="0.75"
          y="0.75"
          width="8.5"
          height="8.5"
          rx="1.5"
          strokeWidth="1.5"
          className="animate-pulse fill-accent-wash stroke-accent"
        />
      )}
    </svg>
  );
}
