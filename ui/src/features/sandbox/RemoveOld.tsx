import type { OwnImage } from "../../api";
import { Button, Dialog, ProblemCard, useCall } from "../../shared";
import { imageName, imageTitle, isInUse, sizeOf } from "./imageWords";

interface RemoveOldProps {
  old: OwnImage[];
  inUse: string | null;
  onRemove: () => Promise<OwnImage[]>;
  onRemoved: (removed: OwnImage[]) => void;
  onClose: () => void;
}

/** Asks before old images are removed, and says which. */
export function RemoveOld({ old, inUse, onRemove, onRemoved, onClose }: RemoveOldProps) {
  const [removing, remove] = useCall(async () => onRemoved(await onRemove()));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remove the old images?"
      description={`Assay made them for an earlier version. That frees up to ${sizeOf(old)}; images of others stay.`}
      actions={
        <>
          <Button onClick={onClose}>Keep them</Button>
          <Button tone="danger" busy={removing.state === "busy"} onClick={() => void remove()}>
            Remove
          </Button>
        </>
      }
    >
      <ul className="grid gap-1 text-sm">
        {old.map((image) => (
          <li key={image.id}>
            {imageTitle(image)}{" "}
            <span className="font-mono text-xs [overflow-wrap:anywhere] text-quiet">
              {imageName(image)}
            </span>
          </li>
        ))}
      </ul>
      {inUse !== null && old.some((image) => isInUse(image, inUse)) && (
        <p className="mt-3">
          The one that questions use now is among them. After that they use Assay’s own sandbox,
          without your packages.
        </p>
      )}
      {removing.state === "failed" && <ProblemCard problem={removing.problem} className="mt-3" />}
    </Dialog>
  );
}
