import type { EngineSeen, RuntimeChoice } from "../../api";
import { counted } from "../../shared";
import { capacity, engineName, usage } from "./words";

interface FoundEnginesProps {
  found: EngineSeen[];
  choice: RuntimeChoice;
}

/** Every engine that was found, with the one in use and why not the others; where nothing is stays folded. */
export function FoundEngines({ found, choice }: FoundEnginesProps) {
  const there = found.filter(({ state }) => state !== "absent");
  const absent = found.filter(({ state }) => state === "absent");
  return (
    <section aria-labelledby="engines-found" className="grid gap-2">
      <h3 id="engines-found" className="font-semibold">
        Engines found
      </h3>
      {there.length === 0 && <p className="text-quiet">No engine was found on this computer.</p>}
      <ul className="grid gap-2">
        {there.map((seen) => (
          <li
            key={`${seen.origin} ${seen.address}`}
            className="rounded-md border border-line bg-raised px-4 py-2.5"
          >
            <p>
              <span className="font-semibold">{engineName(seen)}</span>{" "}
              <span className="font-mono text-xs [overflow-wrap:anywhere] text-quiet">
                {seen.address}
              </span>
            </p>
            {seen.facts !== null && (
              <p className="text-sm text-quiet">
                {capacity(seen.facts)}; {seen.facts.system}
              </p>
            )}
            <p className="text-sm">{usage(seen, choice)}</p>
          </li>
        ))}
      </ul>
      {absent.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
            {counted(absent.length, "other place")} looked at, nothing there
          </summary>
          <ul className="mt-1 grid gap-1">
            {absent.map(({ origin, address }) => (
              <li key={`${origin} ${address}`}>
                {origin}{" "}
                <span className="font-mono text-xs [overflow-wrap:anywhere] text-quiet">
                  {address}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
