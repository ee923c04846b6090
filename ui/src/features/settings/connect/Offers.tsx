import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { Connections, LocalServer, Preset, RemoteModel } from "../../../api";
import { Button, ProblemCard, type Call } from "../../../shared";
import { localModel } from "./draft";

interface OffersProps {
  connections: Connections;
  taking: Call<void>;
  onLook: () => void;
  /** A model of this computer is used as it is. */
  onTake: (model: RemoteModel) => void;
  /** A service or server is chosen, to be told the rest. */
  onChoose: (preset: Preset, address: string) => void;
  onCancel: () => void;
}

/** More models of one server than this are found by its list. */
const SHOWN = 6;

/** What there is to connect: models found on this computer, services, and servers of one's own. */
export function Offers(props: OffersProps) {
  const { connections, taking, onLook, onTake, onChoose, onCancel } = props;
  const { presets, local } = connections;
  const own = presets.filter(({ place }) => place !== "hosted");
  return (
    <div className="grid gap-5">
      <Group
        title="Found on this computer"
        aside={
          <Button tone="quiet" icon={<RotateCw size={14} aria-hidden="true" />} onClick={onLook}>
            Look again
          </Button>
        }
      >
        {local.length === 0 && (
          <p className="text-quiet">
            No program with a model answers here. Ollama and LM Studio are two that cost nothing:
            start one, then look again.
          </p>
        )}
        {local.map((server) => (
          <Server
            key={server.base_url}
            server={server}
            preset={presets.find(({ id }) => id === server.preset)}
            busy={taking.state === "busy"}
            onTake={onTake}
            onChoose={onChoose}
          />
        ))}
      </Group>
      <Group title="A service, with a key you have there">
        <Row>
          {presets
            .filter(({ place }) => place === "hosted")
            .map((preset) => (
              <Button key={preset.id} onClick={() => onChoose(preset, preset.base_url)}>
                {preset.name}
              </Button>
            ))}
        </Row>
      </Group>
      <Group title="A server of your own, or of your company">
        <Row>
          {own.map((preset) => (
            <Button key={preset.id} onClick={() => onChoose(preset, preset.base_url)}>
              {preset.name}
            </Button>
          ))}
        </Row>
      </Group>
      {taking.state === "failed" && <ProblemCard problem={taking.problem} />}
      <div>
        <Button tone="quiet" className="-ml-3" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

interface ServerProps {
  server: LocalServer;
  preset: Preset | undefined;
  busy: boolean;
  onTake: OffersProps["onTake"];
  onChoose: OffersProps["onChoose"];
}

function Server({ server, preset, busy, onTake, onChoose }: ServerProps) {
  const known = preset !== undefined && preset.id !== "other";
  const name = known ? preset.name : `A program at ${server.base_url}`;
  const { models } = server;
  return (
    <div>
      <p className="mb-1.5">
        {name} {known && <span className="text-quiet">on this computer</span>}
      </p>
      {models.length === 0 ? (
        <p className="text-sm text-quiet">It has no model yet. Get one there, then look again.</p>
      ) : (
        <Row>
          {models.slice(0, SHOWN).map((row) => (
            <Button
              key={row.name}
              busy={busy}
              aria-label={`Use ${row.name}, ${name}`}
              onClick={() => onTake(localModel(server.preset, server.base_url, row))}
              className="max-w-full"
            >
              <span className="truncate">{row.name}</span>
            </Button>
          ))}
          {models.length > SHOWN && preset !== undefined && (
            <Button tone="quiet" onClick={() => onChoose(preset, server.base_url)}>
              All {models.length} …
            </Button>
          )}
        </Row>
      )}
    </div>
  );
}

interface GroupProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

function Group({ title, aside, children }: GroupProps) {
  return (
    <section aria-label={title} className="grid gap-2">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 className="font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2">{children}</div>
);
