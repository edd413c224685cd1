import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type DispatchCalls,
  type EraseBody,
  type Erasure,
  ERROR_MESSAGES,
  type WebhooksCalls,
} from '@watchword/contracts';
import { addressSpellings, ERASED_ADDRESS, isAddress } from '@watchword/email';
import { erasedNumber } from '@watchword/telephony';
import type { Outcome } from '../accounts/audit/outcome.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { maskReceiver } from './operator-message.policy.js';

/**
 * Erases a number or an email address from messages, and then from the events of webhooks, slice by
 * slice. What a crash leaves is erased by the next call.
 */
@Injectable()
export class EraseHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'countOpenMessages' | 'eraseMessages'>,
    @Inject(WEBHOOKS)
    private readonly webhooks: Pick<WebhooksCalls, 'eraseEvents' | 'eraseWebhookAttempts'>,
  ) {}

  async erase({ to: given, reason }: EraseBody): Promise<Outcome<Erasure>> {
    const spellings = isAddress(given) ? addressSpellings(given) : [given];
    const erased = isAddress(given) ? ERASED_ADDRESS : erasedNumber(given);
    await this.refuseOpen(spellings);
    const { dispatch, webhooks } = this;
    const body = { messages: 0, webhook_events: 0, webhook_attempts: 0 };
    for (const to of spellings) {
      body.messages += await countSlices((after) => dispatch.eraseMessages({ to, erased, after }));
      body.webhook_events += await countSlices((after) =>
        webhooks.eraseEvents({ to, erased, after }),
      );
      body.webhook_attempts += await countSlices((after) =>
        webhooks.eraseWebhookAttempts({ to, erased, after }),
      );
    }
    const to = maskReceiver(given);
    const masked = reason.replaceAll(inAnyCase(spellings), to);
    return { body, effect: { to, reason: masked, ...body } };
  }

  /** Nothing is erased while a message can still be sent or changed. */
  private async refuseOpen(spellings: readonly string[]): Promise<void> {
    let open = 0;
    for (const to of spellings) {
      open += await countSlices((after) => this.dispatch.countOpenMessages({ to, after }));
    }
    if (open === 0) return;
    throw new ApiError('conflict', { message: ERROR_MESSAGES.openMessages(open) });
  }
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
