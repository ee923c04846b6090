import { classes } from "../../shared";

interface VersionsProps {
  count: number;
  chosen: number;
  onChoose: (version: number) => void;
}

/** The versions of a chart that a further question has drawn anew, the newest last. */
export function Versions({ count, chosen, onChoose }: VersionsProps) {
  if (count < 2) return null;
  return (
    <div role="group" aria-label="Version" className="ml-2 flex rounded-md border border-line">
      {Array.from({ length: count }, (_, at) => at + 1).map((version) => (
        <button
          key={version}
          type="button"
          aria-pressed={version === chosen}
          onClick={() => onChoose(version)}
          className={classes(
            "px-2.5 py-0.5 first:rounded-l-md last:rounded-r-md",
            version === chosen ? "bg-accent-wash text-accent-ink" : "text-quiet hover:text-ink",
          )}
        >
          v{version}
        </button>
      ))}
    </div>
  );
}
