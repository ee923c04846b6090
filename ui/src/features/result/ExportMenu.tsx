import { ChevronDown } from "lucide-react";
import { useEffect } from "react";
import { copyReport, copySummary, forms, within } from "../../api";
import {
  Button,
  Menu,
  Notice,
  ProblemCard,
  useCall,
  type Call,
  type MenuGroup,
} from "../../shared";
import { copyWords } from "./copyWords";
import { copyIcons, formIcon } from "./formIcons";
import { SavingNotice, type Saving } from "./Saving";

const FLOATING =
  "rise absolute top-full right-4 z-30 mt-2 w-96 max-w-[calc(100vw-2rem)] shadow-float";
/** How long it is said that something was copied, in milliseconds. */
const COPIED_MS = 6000;

interface ExportMenuProps {
  runId: string;
  saving: Saving;
}

/** Takes the run out of the app, as a file or over the clipboard, and says where it went. */
export function ExportMenu({ runId, saving }: ExportMenuProps) {
  const [known, load] = useCall(() => within(15, forms()));
  const [copying, copy, forgetCopy] = useCall((what: "report" | "summary") =>
    what === "report"
      ? copyWords(copyReport(runId), "rich")
      : copyWords(copySummary(runId), "plain"),
  );
  useEffect(() => void load(), [load]);
  const isCopied = copying.state === "done" && copying.answer === null;
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(forgetCopy, COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied, forgetCopy]);

  const isBusy = saving.call.state === "busy" || copying.state === "busy";

  const start = (form: string) => {
    forgetCopy();
    saving.save({ kind: "run", form });
  };
  const startCopy = (what: "report" | "summary") => {
    saving.forget();
    void copy(what);
  };
  const files: MenuGroup =
    known.state === "done"
      ? {
          items: known.answer.map(({ id, label, purpose }) => ({
            label,
            hint: purpose,
            icon: formIcon(id),
            onChoose: () => start(id),
          })),
        }
      : { items: [{ label: "Look for the forms again", onChoose: () => void load() }] };
  const copies: MenuGroup = {
    label: "Copy",
    items: [
      { label: "The report", icon: copyIcons.report, onChoose: () => startCopy("report") },
      {
        label: "A summary for an e-mail",
        icon: copyIcons.summary,
        onChoose: () => startCopy("summary"),
      },
    ],
  };
  return (
    <div className="flex items-center gap-2">
      <span role="status" className="text-sm text-quiet">
        {isCopied && "Copied."}
      </span>
      <Menu groups={[files, copies]}>
        <Button tone="primary" busy={isBusy} className="w-28">
          Export
          {!isBusy && <ChevronDown size={14} aria-hidden />}
        </Button>
      </Menu>
      <SavingNotice saving={saving} className={FLOATING} />
      <CopyNotice copying={copying} onClose={forgetCopy} />
    </div>
  );
}

interface CopyNoticeProps {
  copying: Call<string | null>;
  onClose: () => void;
}

/** What a copy lacks, or why there is none. */
function CopyNotice({ copying, onClose }: CopyNoticeProps) {
  const close = (
    <Button tone="quiet" onClick={onClose}>
      Close
    </Button>
  );
  if (copying.state === "failed") {
    return <ProblemCard problem={copying.problem} className={FLOATING} actions={close} />;
  }
  if (copying.state !== "done" || copying.answer === null) return null;
  return (
    <Notice className={FLOATING} actions={close}>
      Copied. {copying.answer}
    </Notice>
  );
}
