import type { ReactNode } from "react";

/** What stands where nothing is yet: a sentence, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center text-quiet">
      <p className="text-base text-ink">{title}</p>
      {children !== undefined && <div className="mt-1">{children}</div>}
    </div>
  );
}
