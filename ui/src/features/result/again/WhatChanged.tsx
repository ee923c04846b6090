import type { Comparison } from "../../../api";
import { Button, Named, ProblemCard, Wait } from "../../../shared";
import { isEmpty } from "./changeWords";
import { FigureChanges } from "./FigureChanges";
import { TableChanges } from "./TableChanges";
import type { Compared } from "./useComparison";

interface WhatChangedProps {
  compared: Compared;
  onOpenRun: (run: string) => void;
}

/** A run beside the earlier one that it does again. */
export function WhatChanged({ compared, onOpenRun }: WhatChangedProps) {
  const { again, call, look } = compared;
  return (
    <div className="grid grid-cols-1 gap-y-8 py-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <p className="break-words">
            {again.file.now} took the place of {again.file.before}.
          </p>
          <ul className="text-quiet">
            {again.columns.map(({ before, now }) => (
              <li key={before}>
                <Named text={`\`${before}\` is now called \`${now}\`.`} />
              </li>
            ))}
          </ul>
        </div>
        <Button onClick={() => onOpenRun(again.run)}>Open the earlier run</Button>
      </div>
      {call.state === "failed" ? (
        <ProblemCard problem={call.problem} actions={<Button onClick={look}>Try again</Button>} />
      ) : call.state === "done" ? (
        <Changes comparison={call.answer} />
      ) : (
        <Wait label="Comparing it with the earlier run …" />
      )}
    </div>
  );
}

function Changes({ comparison }: { comparison: Comparison }) {
  const { figures, tables } = comparison;
  return (
    <>
      {isEmpty(figures) ? (
        <p className="text-quiet">There are no figures to compare.</p>
      ) : (
        <FigureChanges figures={figures} />
      )}
      {tables.length > 0 && <TableChanges tables={tables} />}
    </>
  );
}
