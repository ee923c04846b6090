import type { LimitSettings, ModelSettings } from "../../api";
import { inWords } from "../../shared";
import { NumberField } from "./NumberField";

interface LimitChoiceProps {
  limits: LimitSettings;
  model: ModelSettings;
  onChange: (limits: LimitSettings) => void;
}

/** What one question may use before it is ended; what was made until then is kept. */
export function LimitChoice({ limits, model, onChange }: LimitChoiceProps) {
  const change = (part: Partial<LimitSettings>) => onChange({ ...limits, ...part });
  return (
    <div className="grid gap-4">
      <p className="text-sm text-quiet">
        A question that reaches one of these is ended. What it has made until then is kept, and it
        can go on.
      </p>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <NumberField
          label="Steps"
          hint="Each runs some code."
          value={limits.steps}
          least={1}
          most={10_000}
          whole
          empty="refused"
          onDone={(steps) => change({ steps: steps ?? limits.steps })}
        />
        <NumberField
          label="Minutes"
          hint="From the question to the report."
          value={limits.minutes}
          least={1}
          most={10_000}
          whole
          empty="refused"
          onDone={(minutes) => change({ minutes: minutes ?? limits.minutes })}
        />
        <NumberField
          label="Tokens read and written"
          hint={`Tokens are pieces of words: this is ${inWords(limits.tokens)}, all requests together.`}
          value={limits.tokens}
          least={1000}
          most={1_000_000_000}
          whole
          empty="refused"
          onDone={(tokens) => change({ tokens: tokens ?? limits.tokens })}
        />
        <NumberField
          label="Money, in US dollars"
          hint={moneyHint(model)}
          value={limits.cents === null ? null : limits.cents / 100}
          least={0.01}
          most={100_000}
          onDone={(dollars) =>
            change({ cents: dollars === null ? null : Math.round(dollars * 100) })
          }
        />
      </div>
    </div>
  );
}

/** Whether a limit of money can hold with such a model. */
export function moneyHint(model: ModelSettings): string {
  if (model.kind === "built_in") return "Empty: no limit. The built-in analyst costs nothing.";
  return model.prices === null
    ? `Empty: no limit. It holds only where the price is known, and that of ${model.model} is not, unless the service says so with each answer. Set it under Who thinks, Advanced.`
    : `Empty: no limit. Counted by the price that is set for ${model.model}.`;
}
