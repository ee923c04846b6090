import { useEffect, useState } from "react";
import { connections, within, type RemoteModel } from "../../../api";
import { Button, ProblemCard, useCall, Wait } from "../../../shared";
import type { Kept } from "../ModelChoice";
import { draftFrom, draftOf, type Draft } from "./draft";
import { Offers } from "./Offers";
import { SetUp } from "./SetUp";

interface ConnectProps {
  kept: Kept;
  /** The model that is to be changed; null to begin with what there is. */
  start: RemoteModel | null;
  /** A model was connected. */
  onDone: () => void;
  onCancel: () => void;
}

/** Leads to a language model: what there is to choose from, then what the chosen one has to be told. */
export function Connect({ kept, start, onDone, onCancel }: ConnectProps) {
  const [found, look] = useCall(() =>
    within(30, connections(), "Looking for models took too long."),
  );
  const [draft, setDraft] = useState<Draft | null>(null);
  const [at, go] = useState<"offers" | "set_up">(start === null ? "offers" : "set_up");
  useEffect(() => void look(), [look]);

  const [taking, take] = useCall(async (model: RemoteModel) => {
    await kept.save({ model: { kind: "remote", ...model } });
    onDone();
  });

  if (found.state === "failed") {
    return (
      <ProblemCard
        problem={found.problem}
        actions={<Button onClick={() => void look()}>Look again</Button>}
      />
    );
  }
  if (found.state !== "done") {
    return <Wait label="Looking for models on this computer …" limit_s={10} />;
  }
  const { presets, key_places } = found.answer;
  const present = draft ?? (start === null ? null : draftFrom(start, key_places));
  const preset = presets.find(({ id }) => id === present?.model.preset) ?? presets.at(-1);

  if (at === "set_up" && present !== null && preset !== undefined) {
    return (
      <SetUp
        key={`${present.model.preset} ${present.before === null}`}
        draft={present}
        preset={preset}
        places={key_places}
        kept={kept}
        onChange={setDraft}
        taking={taking}
        onTake={(model) => void take(model)}
        onOthers={() => go("offers")}
        onCancel={onCancel}
      />
    );
  }
  return (
    <Offers
      connections={found.answer}
      taking={taking}
      onLook={() => void look()}
      onTake={(model) => void take(model)}
      onChoose={(chosen, address) => {
        const fresh = draftOf(chosen, key_places);
        setDraft({ ...fresh, model: { ...fresh.model, base_url: address } });
        go("set_up");
      }}
      onCancel={onCancel}
    />
  );
}
