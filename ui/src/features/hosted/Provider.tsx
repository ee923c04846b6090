import { withdrawFromHosted, within, type Settings } from "../../api";
import { Button, hostOf, ProblemCard, useCall } from "../../shared";
import { keyWords } from "../settings";
import { keyBeside } from "./draft";

interface ProviderProps {
  settings: Settings;
  /** Rejects with a `Problem`. */
  onSave: (part: Partial<Settings>) => Promise<void>;
  onChange: () => void;
}

/** The provider whose containers run the code: which it is, with which key, and the way back. */
export function Provider({ settings, onSave, onChange }: ProviderProps) {
  const { hosted } = settings;
  const { base_url, model, key_place } = hosted;
  const [returning, comeBack] = useCall(async () => {
    await within(15, withdrawFromHosted(base_url));
    await onSave({ runtime: "auto" });
  });
  const [forgetting, forget] = useCall(() => onSave({ hosted: { ...hosted, key: "" } }));
  const ofModel = key_place === null && keyBeside(base_url, settings) !== null;
  return (
    <section aria-label="The provider" className="grid gap-3">
      <div>
        <p>
          <span className="font-semibold">{hostOf(base_url) ?? base_url}</span>, with its model{" "}
          {model}
        </p>
        <p className="text-sm text-quiet">
          {ofModel ? "It is asked with the key of the model that thinks." : keyWords(hosted)}
        </p>
        <p className="text-sm">The files of each question are sent there.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={returning.state === "busy"} onClick={() => void comeBack()}>
          Files stay here again
        </Button>
        <Button onClick={onChange}>Change the provider</Button>
        {key_place !== null && (
          <Button tone="danger" busy={forgetting.state === "busy"} onClick={() => void forget()}>
            Forget the key
          </Button>
        )}
      </div>
      {returning.state === "failed" && <ProblemCard problem={returning.problem} />}
      {forgetting.state === "failed" && <ProblemCard problem={forgetting.problem} />}
    </section>
  );
}
