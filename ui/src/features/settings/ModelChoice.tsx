import { checkModel, within, type ModelSettings } from "../../api";
import { Button, Choice, Notice, ProblemCard, Switch, useCall } from "../../shared";
import { DraftField } from "./DraftField";
import { sends } from "./words";

type Remote = Extract<ModelSettings, { kind: "chat_completions" }>;

const blank: Remote = {
  kind: "chat_completions",
  base_url: "",
  model: "",
  images: false,
  key: null,
};

interface ModelChoiceProps {
  model: ModelSettings;
  /** A key for the model is at hand. */
  keyKept: boolean;
  onChange: (model: ModelSettings) => void;
}

/** Who thinks: the analyst that comes with the program, or a language model at an address. */
export function ModelChoice({ model, keyKept, onChange }: ModelChoiceProps) {
  return (
    <div className="grid gap-4">
      <Choice
        label="Who thinks"
        value={model.kind}
        onChange={(kind) => onChange(kind === "built_in" ? { kind } : blank)}
        options={[
          {
            value: "built_in",
            label: "Built-in analyst (no AI)",
            hint: "Works at once, without an account or a key. Good at overviews and unusual readings.",
          },
          {
            value: "chat_completions",
            label: "A language model",
            hint: "One on this computer, or one you have a key for. Answers freer questions.",
          },
        ]}
      />
      {model.kind === "chat_completions" && (
        <RemoteModel model={model} keyKept={keyKept} onChange={onChange} />
      )}
      <p className="text-sm text-quiet">{sends(model)}</p>
    </div>
  );
}

interface RemoteModelProps {
  model: Remote;
  keyKept: boolean;
  onChange: (model: Remote) => void;
}

function RemoteModel({ model, keyKept, onChange }: RemoteModelProps) {
  const [check, start, reset] = useCall(() =>
    within(60, checkModel(model), "The model did not answer within a minute."),
  );
  const change = (part: Partial<Remote>) => {
    reset();
    onChange({ ...model, ...part });
  };
  return (
    <div className="ml-7 grid gap-4 border-l-2 border-line pl-4">
      <DraftField
        label="Address"
        hint="As the provider or the program on this computer names it. It often ends in /v1."
        placeholder="http://127.0.0.1:8080/v1"
        inputMode="url"
        spellCheck={false}
        value={model.base_url}
        onDone={(base_url) => change({ base_url: base_url.trim() })}
      />
      <DraftField
        label="Model"
        hint="The name the model has there."
        spellCheck={false}
        value={model.model}
        onDone={(name) => change({ model: name.trim() })}
      />
      <DraftField
        label="Key"
        hint={
          keyKept
            ? "A key is kept until Assay is closed. Type another to replace it."
            : "Only if the address asks for one."
        }
        type="password"
        autoComplete="off"
        placeholder={keyKept ? "••••••••" : ""}
        value={model.key ?? ""}
        onDone={(key) => change({ key: key.trim() || null })}
      />
      {keyKept && (
        <div>
          <Button onClick={() => change({ key: "" })}>Forget the key</Button>
        </div>
      )}
      <Switch
        label="The model can look at charts"
        on={model.images}
        onChange={(images) => change({ images })}
      />
      <div>
        <Button
          onClick={() => void start()}
          busy={check.state === "busy"}
          disabled={model.base_url === "" || model.model === ""}
        >
          {check.state === "busy" ? "Asking the model …" : "Check"}
        </Button>
      </div>
      {check.state === "done" && <Notice tone="good">{check.answer.ready}</Notice>}
      {check.state === "failed" && <ProblemCard problem={check.problem} />}
    </div>
  );
}
