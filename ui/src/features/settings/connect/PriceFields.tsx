import type { Prices } from "../../../api";
import { NumberField } from "../NumberField";

interface PriceFieldsProps {
  prices: Prices | null;
  onChange: (prices: Prices | null) => void;
}

const dollars = (microdollars: number | undefined) =>
  microdollars === undefined ? null : microdollars / 1e6;

/** What a million tokens cost. Without a price the cost of a run is not known, and none is made up. */
export function PriceFields({ prices, onChange }: PriceFieldsProps) {
  const change = (part: Partial<Record<"input" | "output", number | null>>) => {
    const input = "input" in part ? part.input : dollars(prices?.input_microdollars);
    const output = "output" in part ? part.output : dollars(prices?.output_microdollars);
    const known = (input ?? null) !== null || (output ?? null) !== null;
    onChange(
      known
        ? {
            input_microdollars: Math.round((input ?? 0) * 1e6),
            output_microdollars: Math.round((output ?? 0) * 1e6),
          }
        : null,
    );
  };
  return (
    <div>
      <p className="font-semibold">Price of a million tokens, in dollars</p>
      <p className="text-sm text-quiet">
        A token is a piece of a word; a million are about 750,000 words. Empty: what a run costs is
        not known, unless the service says so itself.
      </p>
      <div className="mt-2 grid grid-cols-2 gap-4">
        <NumberField
          label="What it reads"
          value={dollars(prices?.input_microdollars)}
          most={10_000}
          onDone={(input) => change({ input })}
        />
        <NumberField
          label="What it writes"
          value={dollars(prices?.output_microdollars)}
          most={10_000}
          onDone={(output) => change({ output })}
        />
      </div>
    </div>
  );
}
