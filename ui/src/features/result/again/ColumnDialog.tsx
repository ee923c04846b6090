import { useState } from "react";
import type { FileCard, MovedColumn, NewFileCheck } from "../../../api";
import { Button, counted, Dialog, Named, Select } from "../../../shared";
import { choicesFor, firstMapping, movedColumns } from "./mapping";

interface ColumnDialogProps {
  file: FileCard;
  check: NewFileCheck;
  onStart: (columns: MovedColumn[]) => void;
  onClose: () => void;
}

/** What is otherwise in the new file; the person says which column is which before it goes on. */
export function ColumnDialog({ file, check, onStart, onClose }: ColumnDialogProps) {
  const [mapping, setMapping] = useState(() => firstMapping(check));
  const { columns } = file.preview;
  const moved = movedColumns(check, mapping);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Run again on a new file"
      description={`${check.file} takes the place of ${check.instead_of}. ${counted(check.steps, "step")} will be done again. A model is asked only where a step does not work on the new file, and only if one is set.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={moved === null}
            onClick={() => moved !== null && onStart(moved)}
          >
            Do it again
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {check.missing.map(({ name }) => {
          const { proposals, others } = choicesFor(name, check, columns, mapping);
          return (
            <Select
              key={name}
              label={<Named text={`\`${name}\` is now called`} />}
              value={mapping[name] ?? ""}
              none="Choose …"
              groups={[
                { label: "May be the same", values: proposals },
                { label: "Other columns", values: others },
              ]}
              onChange={(now) => setMapping({ ...mapping, [name]: now })}
            />
          );
        })}
        {check.remarks.length > 0 && (
          <ul className="grid gap-1">
            {check.remarks.map((remark) => (
              <li key={remark}>
                <Named text={remark} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
