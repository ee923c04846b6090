/** The event side of the practice host. */
export type Sink = (payload: unknown) => void;

const sinks = new Map<string, Set<Sink>>();

export function hear(event: string, sink: Sink): () => void {
  const heard = sinks.get(event) ?? new Set();
  sinks.set(event, heard.add(sink));
  return () => void heard.delete(sink);
}

export function tell(event: string, payload: unknown): void {
  for (const sink of sinks.get(event) ?? []) sink(payload);
}

declare global {
  interface Window {
    /** Lets a person at the console, or a test, play the shell. */
    practice?: { tell: typeof tell };
  }
}

window.practice = { tell };
