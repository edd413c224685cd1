import { setTimeout as sleep } from 'node:timers/promises';
import { MicroBatcher } from '@watchword/batching';
import { crashPoint, type Logger } from '@watchword/observability';
import type { Message } from '../messages/message.js';
import type { Change, ChangeRequest, MessageChanges } from '../messages/message-changes.handler.js';

const BATCH_SIZE_MAX = 256;
/** Milliseconds. A report that comes within them is one write with the outcome (`open-calls.ts`). */
const LINGER_MS = 2;
const RETRY_MS_MAX = 2_000;
const ALONE_AFTER_FAILURES = 3;

/**
 * Records outcomes of attempts, and in the same write what follows: sent, failed, or the next
 * attempt. Outcomes that come together are one statement. While the database is unavailable, each
 * is retried until it is on record or the process stops; after some failures alone, because one bad
 * outcome fails its whole batch.
 */
export class OutcomeRecorder {
  private readonly batcher: MicroBatcher<ChangeRequest, Message | null>;

  constructor(
    private readonly changes: MessageChanges,
    private readonly logger: Logger,
    private readonly stopping: AbortSignal,
  ) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.recorder',
      flush: (requests) => this.apply(requests),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: Number.POSITIVE_INFINITY,
      lingerMs: LINGER_MS,
    });
  }

  async record(known: Message, change: Change, optsOut = false): Promise<Message> {
    const request = { id: known.id, known, change, optsOut };
    for (let failures = 0; ; failures += 1) {
      try {
        const message = await this.write(request, failures >= ALONE_AFTER_FAILURES);
        if (message === null) throw new Error('a message disappeared while it was sent');
        return message;
      } catch (error) {
        const about = { err: error, messageId: known.id, failures };
        this.logger.warn(about, 'recording an outcome failed, retrying');
        const delayMs = Math.min(50 * 2 ** Math.min(failures, 10), RETRY_MS_MAX);
        await sleep(delayMs, undefined, { signal: this.stopping });
      }
    }
  }

  /** Returns the message as it is now, or as last seen if the database does not answer. */
  async current(known: Message): Promise<Message> {
    const request = { id: known.id, change: (message: Message) => message };
    return (await this.batcher.submit(request).catch(() => known)) ?? known;
  }

  private async write(request: ChangeRequest, alone: boolean): Promise<Message | null> {
    if (!alone) return this.batcher.submit(request);
    const [message] = await this.apply([request]);
    return message ?? null;
  }

  private async apply(requests: readonly ChangeRequest[]): Promise<(Message | null)[]> {
    crashPoint('dispatch.outcome.before-change');
    const messages = await this.changes.apply(requests);
    crashPoint('dispatch.outcome.after-change');
    return messages;
  }
}
