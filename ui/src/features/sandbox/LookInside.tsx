import { Square } from "lucide-react";
import { useEffect } from "react";
import { proveSandbox, stopProof, within, type SandboxProof } from "../../api";
import { Button, Notice, ProblemCard, useCall, Wait } from "../../shared";
import { limits, proofWords, verdicts } from "./words";

/** Opens a sandbox and shows, limit by limit, what was asked for and what was found inside. */
export function LookInside() {
  const [looking, look] = useCall(proveSandbox);
  const [stopping, stop] = useCall(() => within(15, stopProof()));
  const busy = looking.state === "busy";
  useEffect(() => (busy ? () => void stopProof().catch(() => undefined) : undefined), [busy]);
  if (busy) {
    return (
      <div className="grid gap-3">
        <Wait
          label="A sandbox is opened, and every limit is tried from inside …"
          limit_s={30}
          late="This takes longer than usual. You can stop it; nothing is lost by that."
        />
        <div>
          <Button
            icon={<Square size={12} fill="currentColor" aria-hidden="true" />}
            busy={stopping.state === "busy"}
            onClick={() => void stop()}
          >
            Stop looking
          </Button>
        </div>
      </div>
    );
  }
  const wasStopped = looking.state === "failed" && looking.problem.code === "stopped";
  return (
    <div className="grid gap-3">
      {looking.state === "failed" && !wasStopped && <ProblemCard problem={looking.problem} />}
      {looking.state === "done" && <Proof proof={looking.answer} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => void look()}>
          {looking.state === "done" ? "Look inside again" : "Look inside"}
        </Button>
        <span role="status" className="text-sm text-quiet">
          {wasStopped
            ? "Stopped."
            : looking.state === "idle" && "Tries every limit of the sandbox from inside."}
        </span>
      </div>
    </div>
  );
}

const colours = { holds: "text-found", not_enforced: "text-derived", broken: "text-missing" };

function Proof({ proof }: { proof: SandboxProof }) {
  const { tone, text } = proofWords(proof);
  return (
    <>
      <Notice tone={tone}>{text}</Notice>
      <div
        role="region"
        aria-label="The limits of the sandbox"
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line"
      >
        <table className="w-full text-left text-sm">
          <thead className="border-b border-line text-quiet">
            <tr>
              {["Limit", "Asked for", "Found inside", "Result"].map((head) => (
                <th key={head} scope="col" className="px-3 py-1.5 font-normal">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {proof.findings.map(({ limit, asked, found, verdict }) => (
              <tr key={limit} className="border-b border-line align-top last:border-0">
                <th scope="row" className="px-3 py-1.5 font-semibold">
                  {limits[limit]}
                </th>
                <td className="px-3 py-1.5">{asked}</td>
                <td className="px-3 py-1.5">{found}</td>
                <td className={`min-w-24 px-3 py-1.5 ${colours[verdict]}`}>{verdicts[verdict]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
