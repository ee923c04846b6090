import { useEffect, useState } from "react";
import {
  agreeToHosted,
  asProblem,
  connections,
  hostedTerms,
  within,
  type HostedTerms,
  type KeyPlace,
  type Problem,
  type Settings,
} from "../../api";
import { Button, Field, ProblemCard, useCall, Wait, when } from "../../shared";
import { KeyField } from "../settings";
import { agreeLabel, Consent } from "./Consent";
import { draftOf, finished, keyAt, keyBeside, missing } from "./draft";

interface ProviderSetUpProps {
  settings: Settings;
  /** Rejects with a `Problem`. */
  onSave: (part: Partial<Settings>) => Promise<void>;
  onDone: () => void;
  onNotNow: () => void;
}

/** What a provider has to be told, and the warning before any file leaves for it. */
export function ProviderSetUp(props: ProviderSetUpProps) {
  const [found, look] = useCall(() => within(30, connections()));
  useEffect(() => void look(), [look]);
  if (found.state === "failed") return <ProblemCard problem={found.problem} />;
  if (found.state !== "done")
    return <Wait label="Looking where a key can be kept …" limit_s={10} />;
  return <Form {...props} places={found.answer.key_places} />;
}

function Form(props: ProviderSetUpProps & { places: KeyPlace[] }) {
  const { settings, places, onSave, onDone, onNotNow } = props;
  const [draft, setDraft] = useState(() => draftOf(settings.hosted, places));
  const hosted = finished(draft, settings);
  const { base_url } = hosted;
  const terms = useTerms(base_url);
  const [taking, take] = useCall(async () => {
    // The consent is for this address, so it comes first: without it nothing there is of use.
    if (terms.agreedAt === null) await within(15, agreeToHosted(base_url));
    await onSave({ runtime: "hosted", hosted });
    onDone();
  });
  const lacks = missing(draft, settings);
  const press = {
    busy: taking.state === "busy",
    disabled: lacks !== "" || terms.caveats === null,
    onClick: () => void take(),
  };
  return (
    <section aria-label="A provider" className="grid gap-4">
      <Field
        label="Address of the provider"
        hint="Of an interface that has containers with a code interpreter, such as OpenAI’s."
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        value={draft.address}
        onChange={(event) => setDraft({ ...draft, address: event.target.value })}
      />
      <Field
        label="Model that lets the code run"
        hint="It is only told to run a line; a small one will do."
        spellCheck={false}
        autoComplete="off"
        value={draft.model}
        onChange={(event) => setDraft({ ...draft, model: event.target.value })}
      />
      <KeyField
        text={draft.key}
        hint={
          keyBeside(base_url, settings) === null
            ? "That of your account there."
            : "The key of the model that thinks serves here too. Paste another to use that."
        }
        isNeeded={keyBeside(base_url, settings) === null}
        keptAt={keyAt(base_url, settings)}
        place={draft.place}
        places={places}
        onType={(key) => setDraft({ ...draft, key })}
        onTyped={(key) => key !== null && setDraft({ ...draft, key })}
        onPlace={(place) => setDraft({ ...draft, place })}
      />
      {terms.problem !== null && <ProblemCard problem={terms.problem} />}
      {terms.agreedAt === null ? (
        <Consent
          address={base_url}
          caveats={terms.caveats ?? []}
          actions={
            <>
              <Button {...press}>{agreeLabel(base_url)}</Button>
              <Button onClick={onNotNow}>Not now</Button>
            </>
          }
        />
      ) : (
        <div className="grid gap-2">
          <p className="text-sm text-quiet">
            The files of each question are sent there. You agreed to that ({when(terms.agreedAt)}).
          </p>
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" {...press}>
              Use this provider
            </Button>
            <Button onClick={onNotNow}>Not now</Button>
          </div>
        </div>
      )}
      {lacks !== "" && <p className="text-sm text-quiet">{lacks}</p>}
      {taking.state === "failed" && <ProblemCard problem={taking.problem} />}
    </section>
  );
}

/** What it means that files leave for an address, and when the person agreed; null while it is not known. */
function useTerms(address: string) {
  const [known, setKnown] = useState<{ address: string; terms: HostedTerms } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let wanted = true;
    within(15, hostedTerms(address)).then(
      (terms) => wanted && setKnown({ address, terms }),
      (thrown) => wanted && setProblem(asProblem(thrown)),
    );
    return () => {
      wanted = false;
    };
  }, [address]);
  // What is agreed to for one address says nothing of another.
  const agreedAt = known?.address === address ? known.terms.agreed_at : null;
  return { caveats: known?.terms.caveats ?? null, agreedAt, problem };
}
