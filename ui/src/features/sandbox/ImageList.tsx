import type { OwnImage } from "../../api";
import { Button, counted } from "../../shared";
import { imageFacts, imageName, imageTitle, imageUse, isInUse } from "./imageWords";

interface ImageListProps {
  all: OwnImage[];
  inUse: string | null;
  onUse: (image: string | null) => void;
}

/** Assay's own images: name, size, origin, and which of them is in use. */
export function ImageList({ all, inUse, onUse }: ImageListProps) {
  const isOwn = inUse === null || all.some((image) => isInUse(image, inUse));
  return (
    <>
      {all.length === 0 && <p className="text-quiet">Assay has made no image there yet.</p>}
      <ul className="grid gap-2">
        {all.map((image) => (
          <li
            key={image.id}
            className="flex flex-wrap items-start justify-between gap-2 rounded-md border border-line bg-raised px-4 py-2.5"
          >
            <div className="min-w-0">
              <p>
                <span className="font-semibold">{imageTitle(image)}</span>{" "}
                <span className="font-mono text-xs [overflow-wrap:anywhere] text-quiet">
                  {imageName(image)}
                </span>
              </p>
              <p className="text-sm text-quiet">{imageFacts(image)}</p>
              {image.lock.length > 0 && <Lock lock={image.lock} />}
              <p className="text-sm">{imageUse(image, inUse)}</p>
            </div>
            {image.is_present && image.names.length > 0 && !isInUse(image, inUse) && (
              <Button
                aria-label={`Use ${imageTitle(image)}`}
                onClick={() => onUse(image.packages.length === 0 ? null : imageName(image))}
              >
                Use
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!isOwn && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="[overflow-wrap:anywhere]">
            In use is <span className="font-mono text-sm">{inUse}</span>, as you chose.
          </p>
          <Button onClick={() => onUse(null)}>Use Assay’s own</Button>
        </div>
      )}
    </>
  );
}

/** What exactly was installed. */
function Lock({ lock }: { lock: string[] }) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
        {counted(lock.length, "package")} added, with what they need
      </summary>
      <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere]">{lock.join(", ")}</p>
    </details>
  );
}
