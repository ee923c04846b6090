import { useEffect, useState } from "react";
import { sent, sentText, within, type SentRequest, type SentSummary } from "../../api";
import { bytes, classes, Dialog, ProblemCard, useCall, Wait } from "../../shared";
import { SentText } from "./SentText";
import { heldWords, sentWords } from "./sentWords";

interface SentDialogProps {
  runId: string;
  summary: SentSummary;
  onClose: () => void;
}

/** Every request of a run: to whom, when, how large, and its exact text. */
export function SentDialog({ runId, summary, onClose }: SentDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={sentWords(summary)}
      description={heldWords(summary)}
      wide={summary.requests === 0 ? "text" : "picture"}
    >
      {summary.requests > 0 && <Requests runId={runId} />}
    </Dialog>
  );
}

function Requests({ runId }: { runId: string }) {
  const [listed, list] = useCall(() => within(30, sent(runId)));
  const [chosen, choose] = useState<number | null>(null);
  useEffect(() => void list(), [list]);
  if (listed.state === "failed") return <ProblemCard problem={listed.problem} />;
  if (listed.state !== "done") return <Wait label="Reading what was sent …" limit_s={10} />;
  const requests = listed.answer;
  const shown = requests.find(({ number }) => number === chosen) ?? largest(requests);
  return (
    <div className="grid gap-4 md:grid-cols-[17rem_minmax(0,1fr)]">
      <ol
        aria-label="Requests"
        className="max-h-[58vh] content-start overflow-y-auto max-md:max-h-40 md:-ml-2"
      >
        {requests.map((request) => (
          <li
            key={request.number}
            className="[contain-intrinsic-height:auto_3rem] [content-visibility:auto]"
          >
            <RequestLine
              request={request}
              isChosen={request.number === shown?.number}
              onChoose={() => choose(request.number)}
            />
          </li>
        ))}
      </ol>
      {shown !== undefined && <Text key={shown.number} runId={runId} number={shown.number} />}
    </div>
  );
}

/** The one that holds most; the first ones only ask whether a server is there. */
function largest(requests: readonly SentRequest[]): SentRequest | undefined {
  return requests.reduce<SentRequest | undefined>(
    (most, each) => (most === undefined || each.bytes > most.bytes ? each : most),
    undefined,
  );
}

interface RequestLineProps {
  request: SentRequest;
  isChosen: boolean;
  onChoose: () => void;
}

function RequestLine({ request, isChosen, onChoose }: RequestLineProps) {
  const { number, at, host, bytes: size } = request;
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className={classes(
        "flex w-full flex-wrap justify-between gap-x-3 rounded-md px-2 py-1.5 text-left text-sm focus-visible:-outline-offset-2",
        isChosen ? "bg-accent-wash" : "hover:bg-sunken",
      )}
    >
      <span>
        {number + 1}. <time dateTime={at}>{clockOf(at)}</time>
      </span>
      <span className="text-quiet">{bytes(size)}</span>
      <span className="w-full truncate text-quiet">to {host}</span>
    </button>
  );
}

function clockOf(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(undefined, {
    ...(isToday ? {} : { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

function Text({ runId, number }: { runId: string; number: number }) {
  const [text, read] = useCall(() =>
    within(60, sentText(runId, number), "The text took too long to be read."),
  );
  useEffect(() => void read(), [read]);
  if (text.state === "failed") return <ProblemCard problem={text.problem} />;
  if (text.state !== "done") return <Wait label="Reading its text …" limit_s={15} />;
  return <SentText parts={text.answer} label={`Text of request ${number + 1}`} />;
}
