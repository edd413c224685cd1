import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type DispatchCalls,
  type EraseBody,
  type Erasure,
  ERROR_MESSAGES,
  type WebhooksCalls,
} from '@watchword/contracts';
import { addressSpellings, ERASED_ADDRESS } from '@watchword/email';
import { erasedNumber, maskNumber } from '@watchword/telephony';
import type { Outcome } from '../accounts/audit/outcome.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { maskAddress } from './operator-message.policy.js';

/**
 * Erases a number or an email address from messages, and then from the events of webhooks, slice by
 * slice. What a crash leaves is erased by the next call.
 */
@Injectable()
export class EraseHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'countOpenMessages' | 'eraseMessages'>,
    @Inject(WEBHOOKS) private readonly webhooks: Pick<WebhooksCalls, 'eraseEvents'>,
  ) {}

  async erase({ to: given, reason }: EraseBody): Promise<Outcome<Erasure>> {
    const isAddress = given.includes('@');
    const spellings = isAddress ? addressSpellings(given) : [given];
    const erased = isAddress ? ERASED_ADDRESS : erasedNumber(given);
    await this.refuseOpen(spellings);
    const body = { messages: 0, webhook_events: 0, webhook_attempts: 0 };
    for (const to of spellings) {
      await eachSlice(async (after) => {
        const { count, next } = await this.dispatch.eraseMessages({ to, erased, after });
        body.messages += count;
        return next;
      });
      await eachSlice(async (after) => {
        const slice = await this.webhooks.eraseEvents({ to, erased, after });
        body.webhook_events += slice.events;
        body.webhook_attempts += slice.attempts;
        return slice.next;
      });
    }
    const to = isAddress ? maskAddress(given) : maskNumber(given);
    return { body, effect: { to, reason: reason.replaceAll(given, to), ...body } };
  }

  /** Nothing is erased while a message can still be sent or changed. */
  private async refuseOpen(spellings: readonly string[]): Promise<void> {
    let open = 0;
    for (const to of spellings) {
      await eachSlice(async (after) => {
        const { count, next } = await this.dispatch.countOpenMessages({ to, after });
        open += count;
        return next;
      });
    }
    if (open === 0) return;
    throw new ApiError('conflict', { message: ERROR_MESSAGES.openMessages(open) });
  }
}

/** Calls with null first, and then with what the last call has returned, until it is null. */
async function eachSlice(work: (after: string | null) => Promise<string | null>): Promise<void> {
  let after: string | null = null;
  do after = await work(after);
  while (after !== null);
}
