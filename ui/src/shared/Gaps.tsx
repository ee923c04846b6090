import { counted } from "./format";

interface GapsProps {
  gaps: readonly string[];
  /** The name of the sandbox's runtime. */
  runtime: string;
}

/** What a sandbox cannot hold of its limits, behind one press; nothing where it holds them all. */
export function Gaps({ gaps, runtime }: GapsProps) {
  if (gaps.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
        {runtime === "hosted"
          ? "What such a sandbox cannot promise"
          : `${counted(gaps.length, "limit")} cannot be enforced in it`}
      </summary>
      <ul className="mt-1 list-disc pl-5">
        {gaps.map((gap) => (
          <li key={gap}>{gap}</li>
        ))}
      </ul>
    </details>
  );
}
