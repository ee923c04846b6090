import type { RemoteModel } from "../../../api";
import { Button, hostOf, ProblemCard, useCall } from "../../../shared";
import type { Kept } from "../ModelChoice";
import { isNearby, keyWords, sends } from "../words";
import { ConnectionTest } from "./ConnectionTest";

interface ConnectedProps {
  model: RemoteModel;
  kept: Kept;
  onChange: () => void;
}

/** The language model that thinks: which it is, where, with which key, and whether it works. */
export function Connected({ model, kept, onChange }: ConnectedProps) {
  const [forgetting, forget] = useCall(() =>
    kept.save({ model: { kind: "remote", ...model, key: "" } }),
  );
  const where = isNearby(model.base_url)
    ? `on this computer, ${hostOf(model.base_url)}`
    : `at ${hostOf(model.base_url) ?? "no address"}`;
  return (
    <section aria-label="The connected model" className="grid gap-3">
      <div>
        <p>
          <span className="font-semibold">{model.model}</span> {where}
        </p>
        <p className="text-sm text-quiet">{keyWords(model)}</p>
        <p className="text-sm text-quiet">
          {sends({ kind: "remote", ...model }, kept.settings.rows)}
        </p>
      </div>
      <ConnectionTest
        key={JSON.stringify(model)}
        model={model}
        ready
        beside={
          <>
            <Button onClick={onChange}>Change the model</Button>
            {model.key_place !== null && (
              <Button
                tone="danger"
                busy={forgetting.state === "busy"}
                onClick={() => void forget()}
              >
                Forget the key
              </Button>
            )}
          </>
        }
      />
      {forgetting.state === "failed" && <ProblemCard problem={forgetting.problem} />}
    </section>
  );
}
