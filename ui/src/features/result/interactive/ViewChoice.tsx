import { classes } from "../../../shared";

type View = "interactive" | "picture";

const VIEWS: { view: View; words: string }[] = [
  { view: "interactive", words: "Interactive" },
  { view: "picture", words: "Picture" },
];

interface ViewChoiceProps {
  chosen: View;
  onChoose: (view: View) => void;
}

/** A chart as it answers to the pointer, or the picture of it that reports and exports hold. */
export function ViewChoice({ chosen, onChoose }: ViewChoiceProps) {
  return (
    <div role="group" aria-label="View" className="ml-2 flex rounded-md border border-line">
      {VIEWS.map(({ view, words }) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === chosen}
          onClick={() => onChoose(view)}
          className={classes(
            "px-2.5 py-0.5 first:rounded-l-md last:rounded-r-md",
            view === chosen ? "bg-accent-wash text-accent-ink" : "text-quiet hover:text-ink",
          )}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
