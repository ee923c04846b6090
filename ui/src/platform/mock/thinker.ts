import type { ModelCard, ModelSettings, Rows, RunEvent } from "../../api/types";

/** What a language model adds to a run of the practice host: its requests, its tokens, what they cost. */
export interface Thinker {
  card: ModelCard;
  /** Dollars for a million tokens read and written; null where nobody knows. */
  price: [number, number] | null;
  rows: Rows;
}

export const builtIn: Thinker = {
  card: {
    name: "built-in analyst",
    host: null,
    is_ai: false,
    capabilities: { images: false, tools: "calls" },
  },
  price: null,
  rows: "shown",
};

const hostOf = (address: string) => new URL(address).host;

export function thinkerOf(model: ModelSettings, rows: Rows): Thinker {
  if (model.kind === "built_in") return builtIn;
  const { base_url, model: name, images, prices } = model;
  return {
    card: { name, host: hostOf(base_url), is_ai: true, capabilities: { images, tools: "calls" } },
    price:
      prices === null ? null : [prices.input_microdollars / 1e6, prices.output_microdollars / 1e6],
    rows,
  };
}

/** Size of a request, which grows with the conversation. */
const size = (turn: number) => 4_210 + turn * 1_730;

/** The same run, as if this one had thought in it. */
export function thoughtBy(events: RunEvent[], { card, price }: Thinker): RunEvent[] {
  const { host } = card;
  if (host === null) return events;
  return events.flatMap((event): RunEvent[] => {
    if (event.event === "run_started") return [{ ...event, model: card }];
    if (event.event === "turn_started") {
      const { turn } = event;
      const as_before = turn === 1 ? 0 : size(turn - 1) - 40;
      return [event, { event: "request_sent", turn, host, bytes: size(turn), as_before, text: "" }];
    }
    if (event.event === "turn_ended") {
      const input_tokens = Math.round(size(event.turn) / 3.6);
      const output_tokens = 180 + ((event.turn * 97) % 300);
      const cost =
        price === null ? null : Math.ceil(input_tokens * price[0] + output_tokens * price[1]);
      const usage = { input_tokens, output_tokens, cost_microdollars: cost };
      // A program on one's own computer often does not count.
      return [{ ...event, usage, estimated: price === null }];
    }
    return [event];
  });
}
