import type { ReactNode } from "react";
import type { Problem } from "../api";
import { ModelChoice, type KeptSettings } from "../features/settings";
import { Button, Dialog, ProblemCard } from "../shared";

interface SettingDialogProps {
  open: boolean;
  onClose: () => void;
  settings: KeptSettings;
  machine: ReactNode;
  /** What keeps the chosen model from answering. */
  modelProblem: Problem | null;
}

/** Where the code runs and what thinks, chosen without leaving the desk. */
export function SettingDialog(props: SettingDialogProps) {
  const { open, onClose, settings, machine, modelProblem } = props;
  const { kept, saved } = settings;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Where it runs, and what thinks"
      actions={
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-6">
        <section className="grid gap-3">
          <h3 className="font-semibold">Runs in</h3>
          {machine}
        </section>
        {kept !== null && (
          <section className="grid gap-3">
            <h3 className="font-semibold">Thinks</h3>
            <ModelChoice kept={{ ...settings, settings: kept }} />
            {modelProblem !== null && <ProblemCard problem={modelProblem} />}
          </section>
        )}
        {saved.state === "failed" && <ProblemCard problem={saved.problem} />}
      </div>
    </Dialog>
  );
}
