import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { MessageStore } from '../messages/message.store.js';
import type { Sender } from './sender.js';
import type { UnfinishedStore } from './unfinished.store.js';

/**
 * Every process says that it lives; what a dead one was at is taken over by another. The time must be longer
 * than any pause of a living process; if one pauses longer all the same, both write with the version they
 * know, and only one of them wins.
 */
const ALIVE_FOR_MS = 5_000;
const BATCH = 100;

export const HEARTBEAT_MS = 1_000;

export class RecoveryJob {
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
    const now = new Date(this.clock.now());
    const ids = await this.unfinished.claim(this.sender.id, now, BATCH);
    if (ids.length === 0) return false;
    this.logger.warn({ messages: ids.length }, 'taking over what another process left unfinished');
    for (const message of (await this.messages.read(ids)).values()) this.sender.takeOver(message);
    return ids.length === BATCH;
  }

  /** What is left in hand may be taken over at once. */
  async leave(): Promise<void> {
    await this.unfinished.leave(this.sender.id);
  }
}
