import { useState } from "react";
import type { RemoteModel, Settings } from "../../api";
import { Choice } from "../../shared";
import { Connect, Connected } from "./connect";
import type { KeptSettings } from "./useSettings";
import { sends } from "./words";

/** The settings once they have been read, with the ways to change them. */
export type Kept = Pick<KeptSettings, "change" | "save" | "lastRemote"> & { settings: Settings };

/** What the person is doing about a language model. */
type Doing = { kind: "nothing" } | { kind: "connecting"; start: RemoteModel | null };

/** Who thinks: the analyst that comes with the program, or a language model. */
export function ModelChoice({ kept }: { kept: Kept }) {
  const [doing, setDoing] = useState<Doing>({ kind: "nothing" });
  const { settings, change, lastRemote } = kept;
  const { model } = settings;
  const rest = () => setDoing({ kind: "nothing" });
  const choose = (kind: "built_in" | "remote") => {
    if (kind === "built_in") {
      rest();
      if (model.kind !== "built_in") void change({ model: { kind } });
    } else if (lastRemote !== null) void change({ model: { kind, ...lastRemote } });
    else setDoing({ kind: "connecting", start: null });
  };
  return (
    <div className="grid gap-4">
      <Choice
        label="Who thinks"
        value={doing.kind === "connecting" ? "remote" : model.kind}
        onChange={choose}
        options={[
          {
            value: "built_in",
            label: "Built-in analyst (no AI)",
            hint: "Works at once, without an account or a key. Good at overviews and unusual readings.",
          },
          {
            value: "remote",
            label: "A language model",
            hint: "One on this computer, or one you have a key for. Answers freer questions.",
          },
        ]}
      />
      {doing.kind === "connecting" ? (
        <div className="ml-7 border-l-2 border-line pl-4">
          <Connect kept={kept} start={doing.start} onDone={rest} onCancel={rest} />
        </div>
      ) : model.kind === "remote" ? (
        <div className="ml-7 border-l-2 border-line pl-4">
          <Connected
            model={model}
            kept={kept}
            onChange={() => setDoing({ kind: "connecting", start: model })}
          />
        </div>
      ) : (
        <p className="text-sm text-quiet">{sends(model, settings.rows)}</p>
      )}
    </div>
  );
}
