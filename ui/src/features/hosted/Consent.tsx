import { useEffect, type ReactNode } from "react";
import { agreeToHosted, hostedTerms, settings, within } from "../../api";
import { Button, hostOf, Notice, ProblemCard, useCall, Wait } from "../../shared";

interface ConsentProps {
  address: string;
  /** What such a sandbox cannot promise. */
  caveats: string[];
  /** Buttons for yes and no. */
  actions: ReactNode;
}

/** What it means that the files leave this computer, said before any does. */
export function Consent({ address, caveats, actions }: ConsentProps) {
  return (
    <Notice tone="bad" actions={actions}>
      <p className="font-semibold">
        The files of each question leave this computer. They are sent to{" "}
        {hostOf(address) ?? address}, where the code runs.
      </p>
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm">
        {caveats.map((caveat) => (
          <li key={caveat}>{caveat}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** "Let the files leave for api.example.org" */
export const agreeLabel = (address: string) =>
  `Let the files leave for ${hostOf(address) ?? "this address"}`;

/** Asks for the consent that is missing for the provider of the settings. */
export function AskConsent({ onAgreed }: { onAgreed: () => void }) {
  const [asking, ask] = useCall(async () => {
    const { base_url } = (await within(15, settings())).hosted;
    const { caveats } = await within(15, hostedTerms(base_url));
    return { address: base_url, caveats };
  });
  useEffect(() => void ask(), [ask]);
  const [agreeing, agree] = useCall(async (address: string) => {
    await within(15, agreeToHosted(address));
    onAgreed();
  });
  if (asking.state === "failed") {
    return (
      <ProblemCard
        problem={asking.problem}
        actions={<Button onClick={() => void ask()}>Try again</Button>}
      />
    );
  }
  if (asking.state !== "done") return <Wait label="Looking up what that means …" limit_s={5} />;
  const { address, caveats } = asking.answer;
  return (
    <div className="grid gap-3">
      <Consent
        address={address}
        caveats={caveats}
        actions={
          <Button busy={agreeing.state === "busy"} onClick={() => void agree(address)}>
            {agreeLabel(address)}
          </Button>
        }
      />
      {agreeing.state === "failed" && <ProblemCard problem={agreeing.problem} />}
    </div>
  );
}
