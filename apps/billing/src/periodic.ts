import type { Logger } from '@watchword/observability';

export interface Periodic {
  /** Resolves when a run in hand is done. */
  stop(): Promise<void>;
}

/**
 * Runs work again and again, never twice at once. A run that fails is logged; the next one comes
 * anyway.
 */
export function every(
  intervalMs: number,
  name: string,
  work: () => Promise<void>,
  logger: Logger,
): Periodic {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => logger.error({ err: error, job: name }, 'a job failed'))
      .finally(() => (running = undefined));
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
