/** Where in the program the person is. */
export type Place =
  { view: "home" } | { view: "run"; run: string } | { view: "history" } | { view: "settings" };
