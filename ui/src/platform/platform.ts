/** What the interface needs of the program around it, whichever that is. */
export interface Platform {
  /** Calls a command of the shell; rejects with a `Problem`. */
  invoke<Answer>(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Hears an event of the shell until the returned function is called. */
  listen<Payload>(event: string, take: (payload: Payload) => void): () => void;
  /** Makes the far end of a stream, to be passed as an argument of `invoke`. */
  channel<Message>(take: (message: Message) => void): unknown;
  /** The address under which the web view reads the bytes of an artifact. */
  artifactUrl(run: string, path: string, version?: number): string;
}
