const LOOK_EVERY_MS = 5;

/** How long it took, less the time that this process was not given by a machine that others use as well. */
export async function timed<Answer>(
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; tookMs: number }> {
  let [lookedAt, stolenMs] = [performance.now(), 0];
  const startedAt = lookedAt;
  const look = () => {
    const now = performance.now();
    stolenMs += Math.max(0, now - lookedAt - 2 * LOOK_EVERY_MS);
    lookedAt = now;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  try {
    const answer = await work();
    look();
    return { answer, tookMs: performance.now() - startedAt - stolenMs };
  } finally {
    clearInterval(looking);
  }
}
