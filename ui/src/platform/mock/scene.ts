/**
 * The address of the page sets the scene of the practice host: `?engine=stopped`, `?image=missing`,
 * `?runs=none`, `?pace=0` (milliseconds a moment of a run takes), `?end=stuck` (how a run ends, see
 * `stories.ts`), `?steps=1000&charts=100&lines=1000` (a run of that size, live and in the history),
 * `?numbers=1000` (so many numbers in the report of that run),
 * `?columns=60` (of the result tables), `?files=long` (a file with a very long name), `?files=broken` (one that cannot be read),
 * `?files=year` (the sample a year later, with a column renamed),
 * `?sandbox=local` (no engine answers, and this computer seals code by itself), `?engines=none` (no engine has
 * a name), `?sandbox=hosted` (a provider's containers run the code), `?consent=given` (the person has agreed that
 * files leave), `?images=old` (some are of earlier versions), `?proof=broken` or `?proof=endless` (what a look inside comes to),
 * `?drawing=plain` (the window had stayed blank), `?model=openai` or `?model=ollama` (what thinks),
 * `?local=none` (no model server on this computer), `?keychain=none`, `?keychain=locked` (it takes no
 * key), `?sent=4000` (rows in the text of each request), `?test=wrong_key`, `?test=endless` or `?test=weak` (what testing a model comes to),
 * `?figures=unfounded` (some figures of the report were not computed), `?report=parts` (a report with every
 * part that one can have).
 */
const query = new URLSearchParams(window.location.search);

const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);

const models = ["built_in", "openai", "ollama"] as const;

export const scene = {
  engine: query.get("engine") ?? "ready",
  image: query.get("image") ?? "ready",
  sandbox: query.get("sandbox") ?? "docker",
  engines: query.get("engines") ?? "some",
  consent: query.get("consent") ?? "missing",
  images: query.get("images") ?? "new",
  proof: query.get("proof") ?? "good",
  end: query.get("end") ?? "done",
  drawing: query.get("drawing") === "plain" ? "plain" : "usual",
  hasPast: query.get("runs") !== "none",
  files: query.get("files") ?? "plain",
  model: models.find((name) => name === query.get("model")) ?? "built_in",
  sent: number("sent", 0),
  local: query.get("local") ?? "some",
  keychain: query.get("keychain") ?? "open",
  test: query.get("test") ?? "good",
  pace: number("pace", 250),
  steps: number("steps", 0),
  charts: number("charts", 0),
  lines: number("lines", 0),
  numbers: number("numbers", 0),
  columns: number("columns", 5),
  report: query.get("report") ?? "sample",
  unfounded: query.get("figures") === "unfounded",
};

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
