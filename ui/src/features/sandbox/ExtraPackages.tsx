import { useState } from "react";
import type { OwnImage } from "../../api";
import { Button, Field, Notice } from "../../shared";
import { isInUse, packagesIn } from "./imageWords";
import type { KnownImages } from "./useImages";
import { WorkOn } from "./WorkOn";

interface ExtraPackagesProps {
  images: KnownImages;
  all: OwnImage[];
  inUse: string | null;
  onUse: (image: string | null) => void;
}

/** Python packages that code may use besides those that are there anyway. */
export function ExtraPackages({ images, all, inUse, onUse }: ExtraPackagesProps) {
  const { work, working, begin } = images;
  const present = all.find((image) => isInUse(image, inUse))?.packages ?? [];
  const [text, write] = useState(present.join(", "));
  const wanted = packagesIn(text);
  const isBusy = working.state === "busy";
  return (
    <form
      aria-label="Packages to add"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted.length > 0 && !isBusy) void begin({ kind: "packages", packages: wanted });
      }}
    >
      <Field
        label="Extra packages"
        hint="Names as pip knows them, such as humanize, seaborn==0.13.2. They are installed once, over the network; questions then run without it."
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => write(event.target.value)}
      />
      <WorkOn images={images} kinds={["packages"]} />
      {work?.kind === "packages" && working.state === "done" && (
        <Notice tone="good">Made. Questions use it from now on.</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={wanted.length === 0 || isBusy}>
          Make and use it
        </Button>
        {present.length > 0 && (
          <Button
            disabled={isBusy}
            onClick={() => {
              write("");
              onUse(null);
            }}
          >
            Do without them
          </Button>
        )}
      </div>
    </form>
  );
}
