/**
 * A question to a dependency that may take its time: it is asked once at a time, so that a dependency
 * that hangs is not asked a thousand times, and whoever asks meanwhile waits for the same answer.
 * Undefined when there is none in time, or an error.
 */
export function lookAt<Answer>(
  patienceMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer | undefined> {
  let asking: Promise<Answer | undefined> | undefined;
  const answerOrNothing = async () => {
    try {
      return await ask();
    } catch {
      return undefined;
    }
  };
  return async () => {
    asking ??= answerOrNothing().finally(() => (asking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs);
    });
    const answer = await Promise.race([asking, late]);
    clearTimeout(timer);
    return answer;
  };
}
