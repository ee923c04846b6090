import { useState } from "react";
import type { OwnImage } from "../../api";
import { Button, Field, Notice } from "../../shared";
import { isInUse } from "./imageWords";
import type { KnownImages } from "./useImages";
import { WorkOn } from "./WorkOn";

interface FetchImageProps {
  images: KnownImages;
  all: OwnImage[];
  inUse: string | null;
  onUse: (image: string | null) => void;
}

/** An image from elsewhere: fetched by its name, or loaded from a file where there is no network. */
export function FetchImage({ images, all, inUse, onUse }: FetchImageProps) {
  const { work, working, begin } = images;
  const [name, write] = useState("");
  const isBusy = working.state === "busy";
  const isHere = work?.kind === "pull" || work?.kind === "load";
  const there = isHere && working.state === "done" ? working.answer : [];
  return (
    <details open={isHere || undefined}>
      <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
        Fetch or load an image
      </summary>
      <form
        aria-label="Another image"
        className="mt-3 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "" && !isBusy) void begin({ kind: "pull", name: name.trim() });
        }}
      >
        <Field
          label="Name of the image"
          hint="As a registry knows it, such as python:3.12-slim. Any with Python 3.9 or newer will do."
          spellCheck={false}
          autoComplete="off"
          value={name}
          onChange={(event) => write(event.target.value)}
        />
        <WorkOn images={images} kinds={["pull", "load"]} />
        {there.map((each) => (
          <Notice
            key={each}
            tone="good"
            actions={
              // Assay's own is used anyway.
              !all.some((image) => image.names.includes(each) && isInUse(image, null)) &&
              each !== inUse && (
                <Button onClick={() => onUse(each)}>Use it for every question</Button>
              )
            }
          >
            <span className="font-mono text-sm [overflow-wrap:anywhere]">{each}</span> is there.
          </Notice>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={name.trim() === "" || isBusy}>
            Fetch it
          </Button>
          <Button disabled={isBusy} onClick={() => void begin({ kind: "load" })}>
            Load from a file
          </Button>
        </div>
      </form>
    </details>
  );
}
