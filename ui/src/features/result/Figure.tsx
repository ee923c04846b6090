import { useState } from "react";
import { artifactUrl, type Artifact } from "../../api";
import { keepSize, seenSize } from "./pictureSize";

interface FigureProps {
  runId: string;
  file: Artifact;
  caption: string;
  onOpen?: ((path: string) => void) | undefined;
}

/** A chart with its caption, on a light card in both themes since charts are drawn for white paper. */
export function Figure({ runId, file, caption, onOpen }: FigureProps) {
  const address = artifactUrl(runId, file.path, file.versions);
  const [isBroken, setBroken] = useState(false);
  const [size, setSize] = useState(() => seenSize(address));
  if (isBroken) {
    return <span className="report-missing">{caption || file.path} could not be shown.</span>;
  }
  const picture = (
    <img
      src={address}
      alt={onOpen === undefined ? caption || file.path : ""}
      loading="lazy"
      decoding="async"
      onLoad={(event) => setSize(keepSize(address, event.currentTarget))}
      onError={() => setBroken(true)}
      // Until its size is known a picture gets the place that most charts take.
      style={{
        width: size === null ? "100%" : `min(100%, ${size.width}px)`,
        aspectRatio: size === null ? "auto 12 / 5" : `${size.width} / ${size.height}`,
      }}
      className="mx-auto block"
    />
  );
  const card = "block w-full rounded-md border border-line bg-chart p-2";
  return (
    <figure className="my-2">
      {onOpen === undefined ? (
        <div className={card}>{picture}</div>
      ) : (
        <button
          type="button"
          aria-label={`Open the chart large: ${caption || file.path}`}
          onClick={() => onOpen(file.path)}
          className={`${card} transition-colors duration-150 hover:border-line-strong`}
        >
          {picture}
        </button>
      )}
      {caption && <figcaption className="mt-2 font-sans text-sm text-quiet">{caption}</figcaption>}
    </figure>
  );
}
