import { useEffect, useRef } from "react";

/** Does something once, when the component has come into sight. */
export function useStart(act: () => void): void {
  const done = useRef(false);
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    act();
  });
}
