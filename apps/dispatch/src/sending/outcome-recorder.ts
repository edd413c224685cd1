import { setTimeout as sleep } from 'node:timers/promises';
import { MicroBatcher } from '@watchword/batching';
import type { Logger } from '@watchword/observability';
import type { ChangeRequest } from '../messages/versioned-changes.js';

const BATCH_SIZE_MAX = 256;
/** Milliseconds. A report that comes within them is one write with the outcome (`open-calls.ts`). */
const LINGER_MS = 2;
const RETRY_MS_MAX = 2_000;
const ALONE_AFTER_FAILURES = 3;

export interface OutcomeRecorderParts<Item, Request> {
  /** Name of its batches in metrics. */
  readonly name: string;
  readonly apply: (requests: readonly Request[]) => Promise<(Item | null)[]>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/**
 * Records outcomes of attempts, and in the same write what follows: sent, failed, or the next
 * attempt. Outcomes that come together are one statement. While the database is unavailable, each
 * is retried until it is on record or the process stops; after some failures alone, because one bad
 * outcome fails its whole batch.
 */
export class OutcomeRecorder<Item, Request extends ChangeRequest<Item>> {
  private readonly batcher: MicroBatcher<Request, Item | null>;

  constructor(private readonly parts: OutcomeRecorderParts<Item, Request>) {
    this.batcher = new MicroBatcher({
      name: parts.name,
      flush: parts.apply,
      sizeMax: BATCH_SIZE_MAX,
      queueMax: Number.POSITIVE_INFINITY,
      lingerMs: LINGER_MS,
    });
  }

  /** Runs `before` ahead of each write, again when the write is retried. */
  async record(request: Request, before?: () => Promise<void>): Promise<Item> {
    for (let failures = 0; ; failures += 1) {
      try {
        await before?.();
        const item = await this.write(request, failures >= ALONE_AFTER_FAILURES);
        if (item === null) throw new Error('a message disappeared while it was sent');
        return item;
      } catch (error) {
        const about = { err: error, messageId: request.id, failures };
        this.parts.logger.warn(about, 'recording an outcome failed, retrying');
        const delayMs = Math.min(50 * 2 ** Math.min(failures, 10), RETRY_MS_MAX);
        await sleep(delayMs, undefined, { signal: this.parts.stopping });
      }
    }
  }

  /** Returns the item as the request leaves it, or as last seen if the database does not answer. */
  async current(request: Request, known: Item): Promise<Item> {
    return (await this.batcher.submit(request).catch(() => known)) ?? known;
  }

  private async write(request: Request, alone: boolean): Promise<Item | null> {
    if (!alone) return this.batcher.submit(request);
    const [item] = await this.parts.apply([request]);
    return item ?? null;
  }
}
