import { deleteRun, within, type RunSummary } from "../../api";
import { Button, Dialog, ProblemCard, useCall } from "../../shared";
import { forget } from "../run/store";

interface DeleteDialogProps {
  run: RunSummary;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a run is deleted, and says what goes with it. */
export function DeleteDialog({ run, onClose, onDeleted }: DeleteDialogProps) {
  const [deleting, remove] = useCall(async () => {
    await within(30, deleteRun(run.id));
    forget(run.id);
    onClose();
    onDeleted();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete this run?"
      description={`“${run.title || run.request}” goes with its report, charts and tables. Your own files and what was exported stay.`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button tone="danger" busy={deleting.state === "busy"} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      {deleting.state === "failed" && <ProblemCard problem={deleting.problem} />}
    </Dialog>
  );
}
