/** On a machine that repeatedly stands still, nothing can be tested in time. */
const TRIES_MAX = 5;

/** The first result of `attempt` that is not undefined. It answers undefined when the machine was too slow. */
export async function inTime<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new Error(`the machine was too slow ${TRIES_MAX} times`);
}

/**
 * The first result of `attempt` that took less than `ms`: for steps that must come before a timer of the
 * system ends. Their answers are judged by the caller.
 */
export function inLessThan<Result>(ms: number, attempt: () => Promise<Result>): Promise<Result> {
  return inTime(async () => {
    const startedAt = performance.now();
    const result = await attempt();
    return performance.now() - startedAt < ms ? result : undefined;
  });
}
