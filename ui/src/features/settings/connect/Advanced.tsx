import type { Guidance, Preset, RemoteModel, ToolUse, Wire } from "../../../api";
import { Choice, Field, Switch } from "../../../shared";
import { DraftField } from "../DraftField";
import type { Kept } from "../ModelChoice";
import { asksAddress } from "./draft";
import { PriceFields } from "./PriceFields";

interface AdvancedProps {
  model: RemoteModel;
  preset: Preset;
  onChange: (part: Partial<RemoteModel>) => void;
  /** The address is there as it is meant. */
  onSettled: () => void;
  kept: Kept;
}

const wires: { value: Wire; label: string }[] = [
  { value: "chat_completions", label: "Chat Completions, which nearly every server knows" },
  { value: "responses", label: "Responses (OpenAI)" },
  { value: "messages", label: "Messages (Anthropic)" },
];

const tools: { value: ToolUse | "auto"; label: string }[] = [
  { value: "auto", label: "Find out" },
  { value: "calls", label: "By calls, as the service defines them" },
  { value: "text", label: "In its text, for models that know no calls" },
];

const guidance: { value: Guidance | "auto"; label: string }[] = [
  { value: "auto", label: "As much as fits what it can read" },
  { value: "full", label: "Everything" },
  { value: "short", label: "As little as possible, for small models" },
];

/** What most people never need: how a model is asked, what it is told, what it costs. */
export function Advanced({ model, preset, onChange, onSettled, kept }: AdvancedProps) {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">Advanced</summary>
      <div className="mt-3 grid gap-4 border-l-2 border-line pl-4">
        {!asksAddress(preset) && (
          <Field
            label="Address"
            inputMode="url"
            spellCheck={false}
            value={model.base_url}
            onChange={(event) => onChange({ base_url: event.target.value })}
            onBlur={onSettled}
          />
        )}
        <Pick
          title="How requests are written"
          value={model.wire}
          options={wires}
          onChange={(wire) => onChange({ wire })}
        />
        <Pick
          title="How it asks for code to be run"
          value={model.tools ?? "auto"}
          options={tools}
          onChange={(use) => onChange({ tools: use === "auto" ? null : use })}
        />
        <Pick
          title="How much it is told about its work"
          value={model.guidance ?? "auto"}
          options={guidance}
          onChange={(much) => onChange({ guidance: much === "auto" ? null : much })}
        />
        <Switch
          label="Show it the charts it draws"
          on={model.images}
          onChange={(images) => onChange({ images })}
        />
        <PriceFields prices={model.prices} onChange={(prices) => onChange({ prices })} />
        <DraftField
          label="Further certificates"
          hint="A file with certificates to trust besides the system’s, where a company’s network asks for it. Kept at once, for all models."
          placeholder="/etc/ssl/company.pem"
          spellCheck={false}
          value={kept.settings.extra_ca ?? ""}
          onDone={(path) => void kept.change({ extra_ca: path.trim() || null })}
        />
      </div>
    </details>
  );
}

interface PickProps<Value extends string> {
  title: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

function Pick<Value extends string>({ title, ...rest }: PickProps<Value>) {
  return (
    <div>
      <p className="mb-1 font-semibold" aria-hidden="true">
        {title}
      </p>
      <Choice label={title} {...rest} />
    </div>
  );
}
