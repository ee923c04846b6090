import { counted } from "./format";

/** What a sandbox cannot hold of its limits, behind one press; nothing where it holds them all. */
export function Gaps({ gaps }: { gaps: readonly string[] }) {
  if (gaps.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
        {counted(gaps.length, "limit")} cannot be enforced in it
      </summary>
      <ul className="mt-1 list-disc pl-5">
        {gaps.map((gap) => (
          <li key={gap}>{gap}</li>
        ))}
      </ul>
    </details>
  );
}
