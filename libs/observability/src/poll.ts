/**
 * Returns a check of a dependency that may be slow. One check is open at a time; callers that come
 * meanwhile share its answer. The answer is undefined after an error or when it is late.
 */
export function answerInTime<Answer>(
  timeoutMs: number,
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
      timer = setTimeout(() => resolve(undefined), timeoutMs);
    });
    const answer = await Promise.race([asking, late]);
    clearTimeout(timer);
    return answer;
  };
}
