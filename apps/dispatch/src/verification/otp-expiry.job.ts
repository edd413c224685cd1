import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, NextPoll } from '@watchword/platform';
import { asId, type Clock, type MessageId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { expireIfDue } from '../messages/message-change.policy.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { type ExpiredOtp, OtpExpiryStore } from './otp-expiry.store.js';

/**
 * Writes `expired` for codes without further requests. It walks forward in time in bounded
 * batches and stores its progress, so it catches up after a day of standstill and scans nothing
 * twice.
 *
 * It looks only at messages that were handed over. One that still waits belongs to the sender and
 * fails there. One that is accepted after its time expires in the write of the acceptance.
 */
const BATCH = 500;
/** Milliseconds. It reads this far back again, because clocks of processes differ. */
const OVERLAP_MS = 2_000;
/**
 * Milliseconds. A write decided before the end of a code can be visible this long after it: 3 s for a
 * connection, 10 s for the statement, and the difference of clocks.
 */
const LATE_MS = 20_000;
/** Milliseconds between polls that read late writes. Others leave them out, to read less. */
const LATE_EVERY_MS = 10_000;
/** Milliseconds. Codes are known this long before they expire. */
const AHEAD_MS = 2_000;
/** Milliseconds between polls when nothing announces an expiry. */
const POLL_EVERY_MS = 60_000;
/**
 * Milliseconds between stores of the progress where no code expired. It only saves work after a
 * start.
 */
const REMEMBER_EVERY_MS = 10_000;
const REMEMBER_IDLE_MS = 10 * 60_000;
const FIRST_ID = asId<MessageId>('00000000-0000-0000-0000-000000000000');

@Injectable()
export class OtpExpiryJob {
  private position: ExpiredOtp | null = null;
  private rememberedAt = 0;
  /** When late writes were read. */
  private lateReadAt: number | null = null;
  private readonly poll = new NextPoll(POLL_EVERY_MS);

  constructor(
    private readonly store: OtpExpiryStore,
    private readonly changes: MessageChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Time until which expired codes are written. */
  get reached(): Date {
    return this.position?.expiresAt ?? new Date(this.clock.now());
  }

  /** Notes that a code expires then. */
  pollAt(at: Date): void {
    this.poll.at(at, this.clock);
  }

  /** Returns whether there may be more. Does nothing before the next poll is due. */
  async run(): Promise<boolean> {
    if (!this.poll.isDue) return false;
    this.poll.begin();
    const now = this.clock.now();
    const from = await this.start(now);
    const coming = await this.store.expired(from, new Date(now + AHEAD_MS), BATCH);
    const found = coming.filter(({ expiresAt }) => expiresAt.getTime() <= now);
    const next = coming[found.length];
    if (next) this.poll.in(next.expiresAt.getTime() - now);
    if (found.length > 0) await this.expire(found);
    const isFull = found.length === BATCH;
    if (isFull) this.poll.in(0);
    this.position = (isFull && found.at(-1)) || startingAt(new Date(now - OVERLAP_MS));
    const isWorthIt = found.length > 0 ? REMEMBER_EVERY_MS : REMEMBER_IDLE_MS;
    if (now - this.rememberedAt >= isWorthIt) {
      await this.store.reach(this.position.expiresAt);
      this.rememberedAt = now;
    }
    return isFull;
  }

  private async start(now: number): Promise<ExpiredOtp> {
    const position = this.position ?? (await this.remembered());
    if (this.lateReadAt !== null && now - this.lateReadAt < LATE_EVERY_MS) return position;
    const lateFrom = (this.lateReadAt ?? now) - LATE_MS;
    this.lateReadAt = now;
    return position.expiresAt.getTime() <= lateFrom ? position : startingAt(new Date(lateFrom));
  }

  /** Late writes before the stored progress may not have been read. */
  private async remembered(): Promise<ExpiredOtp> {
    const reached = (await this.store.reached()) ?? new Date(0);
    return startingAt(new Date(reached.getTime() - LATE_MS - LATE_EVERY_MS));
  }

  private async expire(found: readonly ExpiredOtp[]): Promise<void> {
    crashPoint('dispatch.expire.before-change');
    await this.changes.apply(found.map(({ id }) => ({ id, change: expireIfDue })));
    crashPoint('dispatch.expire.after-change');
  }
}

function startingAt(moment: Date): ExpiredOtp {
  return { id: FIRST_ID, expiresAt: moment };
}
