import { Inject, Injectable } from '@nestjs/common';
import type {
  Clock,
  DispatchCalls,
  EraseBody,
  Erasure,
  Outcome,
  WebhooksCalls,
} from '@watchword/contracts';
import { addressSpellings, ERASED_ADDRESS, isAddress, maskAddress } from '@watchword/email';
import { CLOCK } from '@watchword/platform';
import { erasedNumber, maskNumber } from '@watchword/telephony';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { WEBHOOKS } from '../../calls/webhooks-calls.js';
import { ErasureStore, type OpenErasure } from './erasure.store.js';

/**
 * Milliseconds until the first pass over what was left. By then, dispatch and webhooks have every message
 * that was accepted before.
 */
const FIRST_PASS_AFTER_MS = 60_000;

interface Open {
  /** Messages that have not ended, but for test messages. */
  live: number;
  tests: number;
}

/**
 * Erases a number or an email address from messages, and then from the events of webhooks, slice by
 * slice. Scheduled messages are cancelled. A row remembers the recipient until all messages that were
 * accepted before have ended and are erased, so a crash loses nothing.
 */
@Injectable()
export class EraseHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<
      DispatchCalls,
      'cancelScheduledMessages' | 'countOpenMessages' | 'eraseMessages'
    >,
    @Inject(WEBHOOKS)
    private readonly webhooks: Pick<WebhooksCalls, 'eraseEvents' | 'eraseWebhookAttempts'>,
    private readonly erasures: ErasureStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async erase({ to: recipient, reason }: EraseBody): Promise<Outcome<Erasure>> {
    const now = this.clock.now();
    const erasure = { recipient, askedAt: new Date(now) };
    await this.erasures.put(erasure, new Date(now + FIRST_PASS_AFTER_MS));
    const { open, ...counts } = await this.pass(erasure);
    const body = { ...counts, erased_later: open.live };
    const to = isAddress(recipient) ? maskAddress(recipient) : maskNumber(recipient);
    const masked = reason.replaceAll(inAnyCase(spellingsOf(recipient)), to);
    return { body, effect: { to, reason: masked, ...body } };
  }

  /**
   * Erases what has ended meanwhile. The look that finds nothing more forgets the recipient: by then, webhooks have
   * stored the last events of what the look before erased.
   */
  async resume(erasure: OpenErasure): Promise<void> {
    const { open, messages } = await this.pass(erasure);
    if (open.live + open.tests + messages === 0) await this.erasures.delete(erasure);
  }

  /** Counts before it erases: what ends in between is found by the next pass. */
  private async pass({ recipient, askedAt }: OpenErasure) {
    const { dispatch, webhooks } = this;
    const spellings = spellingsOf(recipient);
    const erased = isAddress(recipient) ? ERASED_ADDRESS : erasedNumber(recipient);
    const counts = { messages: 0, webhook_events: 0, webhook_attempts: 0, cancelled: 0 };
    const open: Open = { live: 0, tests: 0 };
    const before = askedAt.toISOString();
    for (const to of spellings) {
      counts.cancelled += await countSlices((after) =>
        dispatch.cancelScheduledMessages({ to, after }),
      );
      open.live += await countSlices(async (after) => {
        const slice = await dispatch.countOpenMessages({ to, before, after });
        open.tests += slice.tests;
        return slice;
      });
      counts.messages += await countSlices((after) =>
        dispatch.eraseMessages({ to, erased, after }),
      );
      counts.webhook_events += await countSlices((after) =>
        webhooks.eraseEvents({ to, erased, after }),
      );
      counts.webhook_attempts += await countSlices((after) =>
        webhooks.eraseWebhookAttempts({ to, erased, after }),
      );
    }
    return { ...counts, open };
  }
}

function spellingsOf(recipient: string): readonly string[] {
  return isAddress(recipient) ? addressSpellings(recipient) : [recipient];
}

function inAnyCase(spellings: readonly string[]): RegExp {
  const escaped = spellings.map((one) => one.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(escaped.join('|'), 'gi');
}

type Slice = (after: string | null) => Promise<{ count: number; next: string | null }>;

/** Calls with null first, and then with `next` of the last call, until it is null. */
async function countSlices(slice: Slice): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const answer = await slice(after);
    count += answer.count;
    after = answer.next;
  } while (after !== null);
  return count;
}
