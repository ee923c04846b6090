import { logger, None, parse, View, type LoggerInterface } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { Unfit, type Chart } from "./chart";
import { reached } from "./grips";
import { look } from "./look";
import { rowsOf, type Tip } from "./tip";

/** A chart that is drawn and answers. */
export interface Drawn {
  /** Takes it away with everything that listens for it. */
  finish: () => void;
}

/**
 * Draws a chart into an element. Its expressions are interpreted from their syntax tree: the window's policy
 * lets no text become code. `tell` hears of the mark under the pointer.
 */
export async function draw(
  chart: Chart,
  place: HTMLElement,
  name: string,
  tell: (tip: Tip | null) => void,
): Promise<Drawn> {
  const troubles: unknown[] = [];
  let view: View | undefined;
  const finish = () => {
    tell(null);
    view?.finalize();
    place.replaceChildren();
  };
  try {
    view = viewOf(chart, name, listener(troubles));
    view.tooltip((_handler, event, _item, value) => {
      const rows = rowsOf(value);
      tell(rows.length === 0 ? null : { rows, x: event.clientX, y: event.clientY });
    });
    await view.initialize(place).runAsync();
  } catch (error) {
    troubles.push(error);
  }
  if (troubles.length > 0) {
    finish();
    throw new Unfit("something in it cannot be drawn");
  }
  return { finish };
}

function viewOf(chart: Chart, name: string, quiet: LoggerInterface): View {
  const { spec } = compile(chart as unknown as TopLevelSpec, { config: look, logger: quiet });
  reached(chart, spec.marks);
  return new View(parse({ ...spec, description: name }, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: "canvas",
    logger: quiet,
    loader: nothing,
  });
}

/** Hears of trouble and keeps it from the console; warnings are the chart's own affair. */
function listener(troubles: unknown[]): LoggerInterface {
  const quiet = logger(None);
  quiet.error = (...told) => {
    troubles.push(...told);
    return quiet;
  };
  return quiet;
}

/** Refuses to read anything: a chart holds its rows, and a picture or link in it leads nowhere. */
const refuse = () => Promise.reject(new Error("Nothing is fetched for a chart."));
const nothing = { load: refuse, sanitize: refuse, http: refuse, file: refuse };
