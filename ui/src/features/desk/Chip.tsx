import type { Decision } from "../../api";

/** One decision; where it could be another, a press shows which. */
export function Chip({
  decision,
  onChoose,
}: {
  decision: Decision;
  onChoose: (value: string) => void;
}) {
  const others = decision.alternatives ?? [];
  const shape = "max-w-full rounded-full border px-2.5 py-0.5";
  if (others.length === 0) {
    return <span className={`${shape} border-line text-quiet`}>{decision.label}</span>;
  }
  return (
    <select
      aria-label={decision.about.replaceAll("`", "")}
      title={decision.evidence.replaceAll("`", "")}
      value={decision.value}
      onChange={(event) => onChoose(event.target.value)}
      className={`${shape} bg-raised ${decision.chosen ? "border-accent" : "border-line-strong"}`}
    >
      <option value={decision.value}>{decision.label}</option>
      {others.map((other) => (
        <option key={other.value} value={other.value}>
          {other.label}
        </option>
      ))}
    </select>
  );
}
