import type { Logger } from '@watchword/observability';

export interface Periodic {
  /** Runs the work now, or again when the current run is done. */
  soon(): void;
  /** Resolves when the current run is done. */
  stop(): Promise<void>;
}

/**
 * Runs work repeatedly, never twice at once. A run that returns `true` has more to do and is
 * repeated at once. A failed run is logged, and the next comes after the interval. The first run
 * comes after the interval, too, unless `firstAfterMs` says otherwise.
 */
export function every(
  intervalMs: number,
  job: string,
  work: () => Promise<boolean | void>,
  logger: Logger,
  { firstAfterMs = intervalMs } = {},
): Periodic {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    isWanted = false;
    const hasMore = await work().catch((error: unknown) => {
      logger.error({ err: error, job }, 'job failed');
    });
    isRunning = false;
    if (!isStopped) schedule(hasMore === true || isWanted ? 0 : intervalMs);
  };
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = run()), delayMs);
    timer.unref();
  };
  schedule(firstAfterMs);
  return {
    soon() {
      isWanted = true;
      if (!isRunning && !isStopped) schedule(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
