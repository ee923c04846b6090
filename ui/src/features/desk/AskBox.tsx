import { useId } from "react";
import { TextBox } from "../../shared";

interface AskBoxProps {
  ask: string;
  meaning: string;
  suggestions: string[];
  onAsk: (ask: string) => void;
  onMean: (meaning: string) => void;
}

/** The question, some questions to borrow, and what the table means. */
export function AskBox({ ask, meaning, suggestions, onAsk, onMean }: AskBoxProps) {
  const id = useId();
  return (
    <div className="grid gap-5">
      <div>
        <label htmlFor={id} className="font-serif text-xl">
          What do you want to know?
        </label>
        <textarea
          id={id}
          rows={2}
          value={ask}
          onChange={(event) => onAsk(event.target.value)}
          placeholder="Ask in your own words. Leave it empty for an overview."
          className="mt-2 field-sizing-content max-h-60 min-h-16 w-full resize-y rounded-md border border-line-strong bg-raised px-4 py-2.5 text-lg placeholder:text-quiet focus-visible:outline-offset-0"
        />
        {/* The row keeps its height while the suggestions are on their way. */}
        <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1.5">
          {suggestions.length > 0 && <span className="text-sm text-quiet">Try</span>}
          {suggestions.map((suggestion) => (
            <button
              key={suggestion}
              type="button"
              onClick={() => {
                onAsk(suggestion);
                document.getElementById(id)?.focus();
              }}
              className="rise rounded-full border border-line px-3 py-0.5 text-left text-sm text-quiet transition-colors duration-150 hover:border-accent hover:text-ink"
            >
              {suggestion}
            </button>
          ))}
        </div>
      </div>
      <TextBox
        label="What does the table mean?"
        hint="Anything the columns do not say themselves. It is kept with the file."
        placeholder="Amounts are in thousands, one row is one invoice …"
        rows={1}
        value={meaning}
        onChange={(event) => onMean(event.target.value)}
      />
    </div>
  );
}
