import { Notice, ProblemCard } from "../../shared";
import { Making } from "../trouble";
import type { ImageWork, KnownImages } from "./useImages";

const labels: Record<ImageWork["kind"], string> = {
  packages: "Making a sandbox with these packages. This takes some minutes.",
  pull: "Fetching the image. This may take some minutes.",
  load: "Loading the image from the file.",
};

interface WorkOnProps {
  images: KnownImages;
  kinds: ImageWork["kind"][];
}

/** How the work on an image goes that was begun here, and what kept it from its end. */
export function WorkOn({ images, kinds }: WorkOnProps) {
  const { work, working, lines } = images;
  if (work === null || !kinds.includes(work.kind)) return null;
  if (working.state === "busy") return <Making label={labels[work.kind]} lines={lines} />;
  if (working.state !== "failed") return null;
  const { problem } = working;
  // What the person has stopped is no failure.
  return problem.code === "stopped" ? (
    <Notice>
      {problem.message} {problem.hint}
    </Notice>
  ) : (
    <ProblemCard problem={problem} />
  );
}
