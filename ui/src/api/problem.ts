import type { Problem } from "./types";

/** Turns whatever was thrown into a `Problem`, so that every failure can be shown. */
export function asProblem(thrown: unknown): Problem {
  if (isProblem(thrown)) return thrown;
  return {
    code: "sandbox",
    message: "Something went wrong inside the app.",
    hint: "Try again; if it happens again, the details below say more.",
    detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  };
}

function isProblem(thrown: unknown): thrown is Problem {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && "message" in thrown;
}

/** Rejects with a `Problem` when a call has not ended in time, so that nothing spins for ever. */
export async function within<Answer>(
  seconds: number,
  call: Promise<Answer>,
  message = "This takes longer than it should.",
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject({
          code: "stopped",
          message,
          hint: "Try again.",
          detail: `No answer within ${seconds} seconds.`,
        } satisfies Problem),
      seconds * 1000,
    );
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
