import type { Settings } from "../../api";
import { DraftField } from "./DraftField";

interface SandboxChoiceProps {
  settings: Settings;
  onChange: (part: Partial<Settings>) => void;
}

/** Where the code runs, for those who have reason to change it. */
export function SandboxChoice({ settings, onChange }: SandboxChoiceProps) {
  return (
    <details
      open={settings.docker_host !== null || settings.image !== null || undefined}
      className="group"
    >
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
        Use one certain engine or image
      </summary>
      <div className="mt-3 grid gap-4">
        <DraftField
          label="Address of the engine"
          hint="Empty: the first engine that answers."
          placeholder="unix:///var/run/docker.sock"
          spellCheck={false}
          value={settings.docker_host ?? ""}
          onDone={(address) => onChange({ docker_host: address.trim() || null })}
        />
        <DraftField
          label="Sandbox image"
          hint="Empty: the one Assay makes itself."
          spellCheck={false}
          value={settings.image ?? ""}
          onDone={(image) => onChange({ image: image.trim() || null })}
        />
      </div>
    </details>
  );
}
