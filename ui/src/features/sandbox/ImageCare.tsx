import { useEffect, useState } from "react";
import { Button, Notice, ProblemCard, Select, Wait } from "../../shared";
import { ExtraPackages } from "./ExtraPackages";
import { FetchImage } from "./FetchImage";
import { ImageList } from "./ImageList";
import { oldOnes, removedWords, sizeOf } from "./imageWords";
import { RemoveOld } from "./RemoveOld";
import type { KnownImages } from "./useImages";

interface ImageCareProps {
  images: KnownImages;
  /** The image that the settings name; null where Assay chooses. */
  inUse: string | null;
  /** The names of the engines of the list. */
  named: string[];
  onUse: (image: string | null) => void;
}

/** The images that sandboxes start from: which there are, more packages, other ones, and removing the old. */
export function ImageCare({ images, inUse, named, onUse }: ImageCareProps) {
  const { engine, onEngine, seen, look, working } = images;
  const [asking, ask] = useState(false);
  const [said, say] = useState("");
  useEffect(() => void look(), [look]);
  const all = seen.state === "done" ? seen.answer : null;
  const old = all === null ? [] : oldOnes(all);
  return (
    <section aria-labelledby="images" className="grid gap-3">
      <div>
        <h3 id="images" className="font-semibold">
          Images
        </h3>
        <p className="text-sm text-quiet">
          What a Docker sandbox starts from: Python and the tools for tables and charts.
        </p>
      </div>
      {named.length > 0 && (
        <Select
          label="Those on the engine"
          value={engine.kind === "listed" ? engine.name : ""}
          none="The usual one"
          groups={[{ label: "Engines by name", values: named }]}
          onChange={(name) => onEngine(name === "" ? { kind: "usual" } : { kind: "listed", name })}
        />
      )}
      {seen.state === "failed" && (
        <ProblemCard
          problem={seen.problem}
          actions={<Button onClick={() => void look()}>Look again</Button>}
        />
      )}
      {seen.state === "busy" && <Wait label="Asking the engine for its images …" limit_s={15} />}
      {all !== null && <ImageList all={all} inUse={inUse} onUse={onUse} />}
      {said !== "" && <Notice tone="good">{said}</Notice>}
      {old.length > 0 && (
        <div>
          <Button
            tone="danger"
            disabled={working.state === "busy"}
            onClick={() => {
              say("");
              ask(true);
            }}
          >
            Remove old images ({sizeOf(old)})
          </Button>
        </div>
      )}
      {asking && (
        <RemoveOld
          old={old}
          inUse={inUse}
          onRemove={images.removeOld}
          onClose={() => ask(false)}
          onRemoved={(removed) => {
            ask(false);
            say(removedWords(old, removed));
            // Without the image that was chosen Assay chooses again.
            if (removed.some(({ names }) => inUse !== null && names.includes(inUse))) onUse(null);
          }}
        />
      )}
      {all !== null && engine.kind === "usual" && (
        <ExtraPackages images={images} all={all} inUse={inUse} onUse={onUse} />
      )}
      {all !== null && <FetchImage images={images} all={all} inUse={inUse} onUse={onUse} />}
    </section>
  );
}
