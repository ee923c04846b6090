import type { ReactNode } from "react";
import { Choice, ProblemCard, Wait } from "../../shared";
import { DraftBox } from "./DraftField";
import { LimitChoice } from "./LimitChoice";
import { ModelChoice } from "./ModelChoice";
import { Privacy } from "./Privacy";
import { SandboxChoice } from "./SandboxChoice";
import type { KeptSettings } from "./useSettings";

interface SettingsScreenProps {
  settings: KeptSettings;
  /** How the sandbox and its engines are, with what can be done about them. */
  machine: ReactNode;
  version: string;
}

/** Everything that can be set, on one page; a change counts at once. */
export function SettingsScreen({ settings, machine, version }: SettingsScreenProps) {
  const { kept, change, saved } = settings;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8 px-6 py-8">
      <header className="flex items-baseline justify-between gap-4">
        <h1 className="font-serif text-2xl">Settings</h1>
        <p role="status" className="text-sm text-quiet">
          {saved.state === "saved" && "Saved"}
        </p>
      </header>
      {saved.state === "failed" && <ProblemCard problem={saved.problem} />}
      {kept === null ? (
        saved.state !== "failed" && <Wait label="Reading the settings …" limit_s={5} />
      ) : (
        <>
          <Section title="Appearance">
            <Choice
              label="Appearance"
              direction="across"
              value={kept.theme}
              onChange={(theme) => void change({ theme })}
              options={[
                { value: "system", label: "As the system" },
                { value: "light", label: "Light" },
                { value: "dark", label: "Dark" },
              ]}
            />
          </Section>
          <Section title="Who thinks">
            <ModelChoice kept={{ ...settings, settings: kept }} />
          </Section>
          <Section title="Privacy">
            <Privacy rows={kept.rows} onChange={(rows) => void change({ rows })} />
          </Section>
          <Section title="Limits of a question">
            <LimitChoice
              limits={kept.limits}
              model={kept.model}
              onChange={(limits) => void change({ limits })}
            />
          </Section>
          <Section title="Sandbox">
            {machine}
            <SandboxChoice settings={kept} onChange={(part) => void change(part)} />
          </Section>
          <Section title="Standing wishes">
            <DraftBox
              label="Wishes for every analysis"
              hint="Given along with each question, whoever thinks."
              placeholder="Use British spelling. Show money in thousands of euros."
              value={kept.wishes}
              onDone={(wishes) => void change({ wishes })}
            />
          </Section>
        </>
      )}
      <p className="border-t border-line pt-4 text-sm text-quiet">Assay {version}</p>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-t border-line pt-4">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
