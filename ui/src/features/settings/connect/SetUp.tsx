import { useRef } from "react";
import { listModels, within, type KeyPlace, type Preset, type RemoteModel } from "../../../api";
import { Button, Field, ProblemCard, useCall, type Call } from "../../../shared";
import type { Kept } from "../ModelChoice";
import { sends } from "../words";
import { Advanced } from "./Advanced";
import { ConnectionTest } from "./ConnectionTest";
import {
  asksAddress,
  canAsk,
  canList,
  chosen,
  finished,
  keptPlace,
  missing,
  type Draft,
  type Missing,
} from "./draft";
import { KeyField } from "./KeyField";
import { ModelPicker } from "./ModelPicker";
import { useStart } from "./useStart";

interface SetUpProps {
  draft: Draft;
  preset: Preset;
  places: KeyPlace[];
  kept: Kept;
  onChange: (draft: Draft) => void;
  taking: Call<void>;
  onTake: (model: RemoteModel) => void;
  /** Leads to the other services. */
  onOthers: () => void;
  onCancel: () => void;
}

/** What one service has to be told: address, key, model. Nothing counts before it is used. */
export function SetUp(props: SetUpProps) {
  const { draft, preset, places, kept, onChange, taking, onTake, onOthers, onCancel } = props;
  const { model } = draft;
  const [listed, list] = useCall((from: RemoteModel) =>
    within(40, listModels(from), "The server did not give its list in time."),
  );
  const asked = useRef("");
  /** Asks for the list, unless the same was asked before. */
  const look = (next: Draft) => {
    const from = finished(next);
    const what = JSON.stringify([from.base_url, from.wire, from.key]);
    if (!canList(next, preset) || what === asked.current) return;
    asked.current = what;
    void list(from);
  };
  useStart(() => look(draft));

  const change = (part: Partial<RemoteModel>) => {
    const next = { ...draft, model: { ...model, ...part } };
    onChange(next);
    return next;
  };
  const ready = finished(draft);
  const { base_url, wire, tools, key } = ready;

  return (
    <section aria-label={preset.name} className="grid gap-4">
      <div>
        <h3 className="font-semibold">{preset.name}</h3>
        {preset.note !== null && <p className="text-sm text-quiet">{preset.note}</p>}
      </div>
      {asksAddress(preset) && (
        <Field
          label="Address"
          hint="As the server names it. It often ends in /v1."
          placeholder="https://models.example.org/v1"
          inputMode="url"
          spellCheck={false}
          value={model.base_url}
          onChange={(event) => change({ base_url: event.target.value })}
          onBlur={() => look(draft)}
        />
      )}
      <KeyField
        text={model.key ?? ""}
        hint={
          preset.key_page === null ? (
            "Only if the server asks for one."
          ) : (
            <>
              Paste it here. You get one at <span className="select-all">{preset.key_page}</span>
            </>
          )
        }
        isNeeded={preset.place === "hosted"}
        keptAt={keptPlace(draft)}
        place={draft.place}
        places={places}
        onType={(typed) => change({ key: typed })}
        onTyped={(typed) => look(typed === null ? draft : change({ key: typed }))}
        onPlace={(place) => onChange({ ...draft, place })}
      />
      <ModelPicker
        value={model.model}
        listed={listed}
        onChange={(name, row) => change(chosen(name, row))}
        onRetry={() => void list(ready)}
      />
      <ConnectionTest
        // Another model is another test.
        key={[base_url, wire, ready.model, tools, key].join("\n")}
        model={{ ...ready, images: true }}
        ready={canAsk(draft, preset)}
        onFound={({ images }) => images !== null && change({ images })}
      />
      <Advanced
        model={model}
        preset={preset}
        onChange={change}
        onSettled={() => look(draft)}
        kept={kept}
      />
      <p className="text-sm text-quiet">
        {sends({ kind: "remote", ...ready }, kept.settings.rows)}
      </p>
      {taking.state === "failed" && <ProblemCard problem={taking.problem} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          tone="primary"
          busy={taking.state === "busy"}
          disabled={!canAsk(draft, preset)}
          onClick={() => onTake(ready)}
        >
          Use this model
        </Button>
        <Button onClick={onOthers}>Choose another</Button>
        <Button tone="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="text-sm text-quiet">{missingWords(missing(draft, preset))}</span>
      </div>
    </section>
  );
}

/** "Still missing: the key and the model." */
function missingWords(what: Missing[]): string {
  return what.length === 0
    ? ""
    : `Still missing: ${what.map((each) => `the ${each}`).join(" and ")}.`;
}
