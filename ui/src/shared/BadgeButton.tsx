import type { ReactNode } from "react";

interface BadgeButtonProps {
  icon: ReactNode;
  /** The colour of the icon, which says whether all is well. */
  tone: "found" | "derived" | "missing";
  onClick: () => void;
  children: ReactNode;
}

const TONES = { found: "text-found", derived: "text-derived", missing: "text-missing" } as const;

/** A line of few words that opens a dialog with the whole of it. */
export function BadgeButton({ icon, tone, onClick, children }: BadgeButtonProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onClick}
      className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line bg-raised px-3 py-0.5 text-left text-sm text-quiet transition-colors duration-150 hover:border-line-strong hover:text-ink"
    >
      <span aria-hidden="true" className={TONES[tone]}>
        {icon}
      </span>
      {children}
    </button>
  );
}
