import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { MessageStore } from '../messages/message.store.js';
import type { Sending } from './running-sendings.js';
import type { Sender } from './sender.js';
import type { UnfinishedStore } from './unfinished.store.js';

/**
 * Every process says that it lives; what a dead one was at is taken over by another. The time must be longer
 * than any pause of a living process; if one pauses longer all the same, both write with the version they
 * know, only one of them wins, and a call is made only by who put its attempt on record.
 */
const ALIVE_FOR_MS = 5_000;
const BATCH = 100;
/** Longer than the write takes that makes an attempt ours. */
const STRAY_AFTER_MS = 12_000;

/** No sending comes before it. */
const FRONT: Sending = { messageId: '00000000-0000-0000-0000-000000000000', resend: -1 };

export const HEARTBEAT_MS = 1_000;

export class RecoveryJob {
  /** How far the strays have been looked for. */
  private lookedAt = FRONT;

  constructor(
    private readonly unfinished: UnfinishedStore,
    private readonly messages: MessageStore,
    private readonly sender: Sender,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Before the first message is taken: its attempts name this process. */
  async announce(): Promise<void> {
    const until = new Date(this.clock.now() + ALIVE_FOR_MS);
    await this.unfinished.alive(this.sender.id, until);
  }

  /** Answers whether there may be more. */
  async run(): Promise<boolean> {
    await this.announce();
    if (!this.sender.hasRoom) return false;
    const mayHaveMore = await this.lookForStrays();
    const now = new Date(this.clock.now());
    const ids = await this.unfinished.claim(this.sender.id, now, BATCH);
    if (ids.length === 0) return mayHaveMore;
    this.logger.warn({ messages: ids.length }, 'taking over what another process left unfinished');
    for (const message of (await this.messages.read(ids.map((id) => ({ id })))).values())
      this.sender.takeOver(message);
    return mayHaveMore || ids.length === BATCH;
  }

  /**
   * Ours on record, and nobody is at it: the answer to the write that made it ours was lost with its connection,
   * and the command that came again found its message there. Looks at one page, and answers whether
   * there may be more.
   */
  private async lookForStrays(): Promise<boolean> {
    const before = new Date(this.clock.now() - STRAY_AFTER_MS);
    const page = { before, after: this.lookedAt, limit: BATCH };
    const held = await this.unfinished.heldBy(this.sender.id, page);
    const isFull = held.length === BATCH;
    // At the end the next look begins anew.
    this.lookedAt = held[BATCH - 1] ?? FRONT;
    const strays = held.filter((sending) => !this.sender.isSending(sending));
    if (strays.length === 0) return isFull;
    this.logger.warn({ messages: strays.length }, 'taking up what was written without an answer');
    const ids = strays.map(({ messageId }) => messageId);
    for (const message of (await this.messages.read(ids.map((id) => ({ id })))).values())
      this.sender.resumeStrays(message);
    return isFull;
  }

  /** What is left in hand may be taken over at once. */
  async leave(): Promise<void> {
    await this.unfinished.leave(this.sender.id);
  }
}
