import { useEffect, useState } from "react";
import { onQuitAsked, quitAnswer } from "../api";
import { Button, Dialog } from "../shared";

/** Asks before a quit would cut a run short. */
export function QuitDialog() {
  const [asked, setAsked] = useState(false);
  useEffect(() => onQuitAsked(() => setAsked(true)), []);
  const answer = (chosen: "stop_and_quit" | "stay") => {
    setAsked(false);
    void quitAnswer(chosen);
  };
  return (
    <Dialog
      open={asked}
      onClose={() => answer("stay")}
      title="A run is still going on"
      description="Quitting stops it. What it has made so far is kept in History."
      actions={
        <>
          <Button tone="danger" onClick={() => answer("stop_and_quit")}>
            Stop and quit
          </Button>
          <Button tone="primary" onClick={() => answer("stay")}>
            Stay
          </Button>
        </>
      }
    />
  );
}
