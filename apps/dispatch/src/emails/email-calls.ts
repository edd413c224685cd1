import type { EmailOutcome, EmailProvider } from '@watchword/carriers';
import { domainOf } from '@watchword/email';
import { crashPoint, type Logger } from '@watchword/observability';
import { AccountSlotsTable } from '../sending/account-slots-table.js';
import type { Copy } from './email-composition.js';
import type { Email, EmailAttempt } from './email.js';
import { copyOf, mayTakeNext } from './hand-over.policy.js';
import { noteEmailSubmit } from './measurements.js';
import type { ProviderOrder } from './provider-order.js';

/** Milliseconds for a message of 10 MiB over a slow line. */
const SUBMIT_DEADLINE_MS = 120_000;
/**
 * Milliseconds. A server may scan the whole message before its last answer. `FORGOTTEN_AFTER_MS` is
 * longer than both.
 */
const ANSWER_MS = 300_000;
/** Milliseconds that a copy waits for a slot before another account is asked. */
const SLOT_TIMEOUT_MS = 1_000;
/** Milliseconds that a copy waits in memory for a slot. Then it waits as after a 4xx. */
const SLOT_WAIT_MAX_MS = 60_000;

export interface EmailCallsParts {
  readonly providers: ReadonlyMap<string, EmailProvider>;
  readonly order: ProviderOrder;
  readonly logger: Logger;
}

/**
 * Makes the calls to providers of emails. A copy that finds no free slot of its account goes to another
 * account, or waits.
 */
export class EmailCalls {
  private readonly slotsByAccount: AccountSlotsTable;

  constructor(
    private readonly parts: EmailCallsParts,
    stopping: AbortSignal,
  ) {
    this.slotsByAccount = new AccountSlotsTable(parts.providers.values(), stopping);
  }

  close(): void {
    this.slotsByAccount.close();
  }

  /** `compose` returns why there is nothing to hand over, or the copy. */
  async submit(
    email: Email,
    attempt: EmailAttempt,
    compose: () => Promise<Copy | EmailOutcome>,
  ): Promise<EmailOutcome> {
    const provider = this.parts.providers.get(attempt.provider);
    if (!provider) return NOT_CONFIGURED;
    const copy = await compose();
    if ('outcome' in copy) return copy;
    const since = performance.now();
    return this.slotsByAccount.run(provider.name, {
      domain: domainOf(addressOf(email, attempt)),
      make: () => this.call(provider, email, attempt, copy),
      timeoutMs: SLOT_TIMEOUT_MS,
      instead: () => this.instead(email, attempt, performance.now() - since),
    });
  }

  private instead(email: Email, attempt: EmailAttempt, waitedMs: number): EmailOutcome | null {
    if (waitedMs < SLOT_TIMEOUT_MS) return null;
    return waitedMs >= SLOT_WAIT_MAX_MS || this.isLeft(email, attempt) ? NO_SLOT : null;
  }

  /** Whether a provider is left that may be asked now and has a free slot. */
  private isLeft(email: Email, attempt: EmailAttempt): boolean {
    const { full } = this.slotsByAccount;
    const mayTake = mayTakeNext(email, attempt);
    return this.parts.order.isAnyAvailable((name) => mayTake(name) && !full.includes(name));
  }

  private async call(
    provider: EmailProvider,
    email: Email,
    attempt: EmailAttempt,
    copy: Copy,
  ): Promise<EmailOutcome> {
    const { order, logger } = this.parts;
    const name = copyOf(email, attempt.recipient);
    const admission = order.admit(provider.name, name);
    if (admission === 'sick' && this.isLeft(email, attempt)) return UNAVAILABLE;
    const startedAt = performance.now();
    const outcome = await this.handOver(provider, email, attempt, copy).catch(
      (error: unknown): EmailOutcome => {
        logger.error({ err: error, provider: provider.name }, 'a provider failed');
        return { outcome: 'ambiguous', rawCode: null, rawMessage: 'The adapter failed.' };
      },
    );
    order.note(provider.name, name, outcome);
    noteEmailSubmit(provider.name, outcome, performance.now() - startedAt);
    return outcome;
  }

  /** Async, so that each error rejects: the outcome of an admitted call is always noted. */
  private async handOver(
    provider: EmailProvider,
    email: Email,
    attempt: EmailAttempt,
    { returnPath, raw }: Copy,
  ): Promise<EmailOutcome> {
    crashPoint('dispatch.email-submit.before-call');
    const outcome = await provider.submit({
      emailId: email.id,
      recipient: attempt.recipient,
      attempt: attempt.number,
      returnPath,
      to: addressOf(email, attempt),
      raw,
      deadlineMs: SUBMIT_DEADLINE_MS,
      answerMs: ANSWER_MS,
    });
    crashPoint('dispatch.email-submit.after-call');
    return outcome;
  }
}

function addressOf(email: Email, { recipient }: EmailAttempt): string {
  return email.recipients[recipient]!.address;
}

const NOT_CONFIGURED: EmailOutcome = {
  outcome: 'refused',
  temporary: false,
  rawCode: 'none',
  rawMessage: 'The account is no longer configured.',
};

const NO_SLOT: EmailOutcome = {
  outcome: 'refused',
  temporary: true,
  rawCode: 'NO_SLOT',
  rawMessage: 'No connection became free in time.',
};

const UNAVAILABLE: EmailOutcome = {
  outcome: 'refused',
  temporary: true,
  rawCode: 'UNAVAILABLE',
  rawMessage: 'The account is failing or drained. Nothing was handed over.',
};
