import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, NextPoll } from '@watchword/platform';
import { asId, type Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Message } from '../messages/message.js';
import { MessageStore } from '../messages/message.store.js';
import { CLAIMED_MAX, Liveness } from './liveness.js';
import type { Sending } from './running-sendings.js';
import { Sender } from './sender.js';
import { UnfinishedStore } from './unfinished.store.js';

const STRAYS_PER_PAGE = 100;
/** Milliseconds; longer than the write that makes an attempt ours. */
export const STRAY_AFTER_MS = 12_000;
/** Milliseconds between polls for strays without a hint. */
const STRAYS_EVERY_MS = 60_000;

/** Sorts before every sending. */
const FRONT: Sending = { messageId: asId('00000000-0000-0000-0000-000000000000'), resend: -1 };

export const HEARTBEAT_MS = 1_000;

/**
 * Writes the heartbeat of this process, takes over the sendings of dead processes, and resumes its
 * own strays.
 */
@Injectable()
export class RecoveryJob {
  /** How far the strays have been searched. */
  private lookedAt = FRONT;
  private readonly strays = new NextPoll(STRAYS_EVERY_MS);
  private isLeft = false;

  constructor(
    private readonly liveness: Liveness,
    private readonly unfinished: UnfinishedStore,
    private readonly messages: MessageStore,
    private readonly sender: Sender,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A read of the tables found work of dead processes, or of this one: the next run does it. */
  expect(found: { left: boolean; strays: boolean }): void {
    this.isLeft ||= found.left;
    if (found.strays) this.strays.in(0);
  }

  /**
   * Returns whether there may be more. A process that also sends emails is busy with those, too.
   */
  async run(isBusyToo = false): Promise<boolean> {
    if (!this.sender.hasFreeSlot) {
      await this.liveness.announce();
      return false;
    }
    const { isLeft } = this;
    this.isLeft = false;
    const ids = await this.liveness.renew(isBusyToo || this.sender.isBusy, isLeft);
    const mayHaveMore = this.strays.isDue && (await this.lookForStrays());
    if (ids.length === 0) return mayHaveMore;
    this.logger.warn({ messages: ids.length }, 'taking over messages of a stopped process');
    for (const { message, resend } of await this.held(ids)) this.sender.resume(message, resend);
    return mayHaveMore || ids.length === CLAIMED_MAX;
  }

  /**
   * Resumes strays: sendings that the record assigns to this process and that are not running. The
   * answer to the write that recorded them was lost, and the repeated command found its message.
   * Searches one page. Returns whether there may be more.
   */
  private async lookForStrays(): Promise<boolean> {
    this.strays.begin();
    const before = new Date(this.clock.now() - STRAY_AFTER_MS);
    const page = { before, after: this.lookedAt, limit: STRAYS_PER_PAGE };
    const held = await this.unfinished.heldBy(this.sender.id, page);
    const isFull = held.length === STRAYS_PER_PAGE;
    if (isFull) this.strays.in(0);
    // At the end, the next search starts again.
    this.lookedAt = held[STRAYS_PER_PAGE - 1] ?? FRONT;
    const strays = held.filter((sending) => !this.sender.isSending(sending));
    if (strays.length === 0) return isFull;
    this.logger.warn({ messages: strays.length }, 'resuming messages whose write lost its answer');
    const ids = strays.map(({ messageId }) => messageId);
    for (const { message, resend } of await this.held(ids)) {
      if (!this.sender.isSending({ messageId: message.id, resend })) {
        this.sender.resume(message, resend);
      }
    }
    return isFull;
  }

  /** The sendings of these messages that this process holds on record. */
  private async held(ids: readonly string[]): Promise<{ message: Message; resend: number }[]> {
    const messages = await this.messages.read(ids.map((id) => ({ id })));
    return [...messages.values()].flatMap((message) => {
      const own = message.attempts.filter(({ heldBy }) => heldBy === this.sender.id);
      return [...new Set(own.map(({ resend }) => resend))].map((resend) => ({ message, resend }));
    });
  }
}
