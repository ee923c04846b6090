import { useEffect, useState, type ReactNode } from "react";

/** A turning arc. It is ornament; words beside it say what goes on. */
export function Spinner() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0 animate-[turn_900ms_linear_infinite]"
    >
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        opacity="0.25"
      />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

interface WaitProps {
  label: string;
  /** After so many seconds the wait admits that it is long. */
  limit_s?: number;
  /** What is said then, and what can be done. */
  late?: ReactNode;
}

/** Says what is being waited for, and does not spin for ever. */
export function Wait({ label, limit_s = 20, late = "This takes longer than usual." }: WaitProps) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), limit_s * 1000);
    return () => clearTimeout(timer);
  }, [limit_s]);
  return (
    <div role="status" className="flex items-start gap-2 text-quiet">
      <span className="mt-1">{isLate ? null : <Spinner />}</span>
      <div>
        {label}
        {isLate && <div className="text-ink">{late}</div>}
      </div>
    </div>
  );
}
