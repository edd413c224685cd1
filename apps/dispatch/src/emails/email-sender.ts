import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EmailOutcome } from '@watchword/carriers';
import type { Clock, MessageId } from '@watchword/contracts';
import { UnsendableContent } from '@watchword/email';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { heldMax } from '../sending/account-slots-table.js';
import { OutcomeRecorder } from '../sending/outcome-recorder.js';
import { PROCESS_ID } from '../sending/process-id.js';
import { Slots } from '../sending/slots.js';
import { type EmailEnvironment, EmailEnvironments } from './email-environments.js';
import { EmailCalls } from './email-calls.js';
import { type EmailChangeRequest, EmailChanges } from './email-changes.handler.js';
import { type Email, type EmailAttempt, openAttempt, wordsOf } from './email.js';
import { copyOf, withOutcome } from './hand-over.policy.js';
import { EmailComposition, type MessageSource } from './email-composition.js';
import { ProviderOrder } from './provider-order.js';
import { suppressionOf } from './suppression.policy.js';
import { EMAIL_PARTS, type EmailParts } from './email-parts.port.js';

/** Without a provider, live emails fail and test mode still works. */
const IN_HAND_MIN = 64;
/** Bytes of texts and attachments from which on few copies are in memory at once. */
const LARGE_BYTES = 1_024 * 1_024;
/**
 * Divided among the accounts, at least one each. A copy is in memory several times while it is read,
 * composed and handed over.
 */
const LARGE_AT_ONCE = 8;

/**
 * Hands copies to providers. Each copy has its own loop of attempts, which ends when this process
 * has no attempt to make for it.
 *
 * - A call is made only for an attempt that this process has just recorded (`heldBy`).
 * - One write records the outcome and what follows: an end, a retry's time, or the next provider.
 * - A bounce suppresses its address before it is recorded, so the next email to it finds the entry.
 */
@Injectable()
export class EmailSender {
  private readonly calls: EmailCalls;
  private readonly slots: Slots;
  /** Slots of large copies, by account. */
  private readonly large: ReadonlyMap<string, Slots>;
  private readonly recorder: OutcomeRecorder<Email, EmailChangeRequest>;
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(EMAIL_PARTS) private readonly parts: Pick<EmailParts, 'providers' | 'suppressions'>,
    private readonly changes: EmailChanges,
    private readonly environments: EmailEnvironments,
    order: ProviderOrder,
    private readonly composition: EmailComposition,
    @Inject(PROCESS_ID) private readonly processId: string,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { providers } = parts;
    this.calls = new EmailCalls({ providers, order, logger }, this.stopping.signal);
    this.slots = new Slots(Math.max(IN_HAND_MIN, heldMax(providers.values())));
    const names = [...providers.keys()];
    const largeMax = Math.max(1, Math.floor(LARGE_AT_ONCE / names.length));
    this.large = new Map(names.map((name) => [name, new Slots(0, largeMax)]));
    this.recorder = new OutcomeRecorder({
      name: 'dispatch.email-recorder',
      apply: (requests) => this.apply(requests),
      logger,
      stopping: this.stopping.signal,
    });
  }

  /** Resolves when this many more copies may be in progress. */
  waitForSlot(copies: number): Promise<void> {
    return this.slots.waitFor(copies);
  }

  get hasFreeSlot(): boolean {
    return this.slots.isLeft;
  }

  /** Whether a copy is in progress. */
  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Returns whether this process is sending this copy. */
  isSending(emailId: MessageId, recipient: number): boolean {
    return this.running.has(copyOf({ id: emailId }, recipient));
  }

  /** Starts with attempts of the email that this process has just recorded. */
  send(
    email: Email,
    begun: readonly EmailAttempt[],
    environment: EmailEnvironment | undefined,
  ): void {
    const source = this.composition.of(email, environment?.signing ?? null);
    for (const attempt of begun) this.run(email, attempt, source);
  }

  /** Waits up to the deadline for open calls and their records. */
  async stop(deadlineMs: number): Promise<void> {
    this.slots.close();
    const ended = Promise.all(this.running.values());
    await Promise.race([ended, sleep(deadlineMs, undefined, { ref: false })]);
    this.stopping.abort();
    for (const slots of this.large.values()) slots.close();
    this.calls.close();
  }

  private run(email: Email, attempt: EmailAttempt, source: MessageSource): void {
    const key = copyOf(email, attempt.recipient);
    const work = this.slots
      .inHandWhile(() => this.attemptAll(email, attempt, source))
      .catch((error: unknown) => {
        if (this.stopping.signal.aborted) return;
        this.logger.error({ err: error }, 'sending a copy failed, recovery will resume it');
      })
      .finally(() => {
        if (this.running.get(key) === work) this.running.delete(key);
      });
    this.running.set(key, work);
  }

  private async attemptAll(
    start: Email,
    first: EmailAttempt,
    source: MessageSource,
  ): Promise<void> {
    let email = start;
    let attempt: EmailAttempt | undefined = first;
    while (attempt) {
      const made: EmailAttempt = attempt;
      const outcome = await this.inTurn(email, made, () => this.call(email, made, source));
      email = await this.record(email, made, outcome);
      const next = openAttempt(email, made.recipient);
      attempt = next && next.number > made.number && this.isOwn(next) ? next : undefined;
    }
  }

  /** Bounds the large copies in memory. The others do not wait for them. */
  private async inTurn(
    email: Email,
    { provider }: EmailAttempt,
    call: () => Promise<EmailOutcome>,
  ): Promise<EmailOutcome> {
    const slots = this.large.get(provider);
    if (!slots || contentBytes(email) < LARGE_BYTES) return call();
    const outcome = await slots.inTurn(call);
    if (outcome === null) throw new Error('dispatch is stopping');
    return outcome;
  }

  private isOwn({ heldBy }: EmailAttempt): boolean {
    return heldBy === this.processId;
  }

  private call(email: Email, attempt: EmailAttempt, source: MessageSource): Promise<EmailOutcome> {
    return this.calls.submit(email, attempt, () =>
      source(attempt.recipient).catch((error: unknown) => {
        this.stopping.signal.throwIfAborted();
        this.logger.error({ err: error, emailId: email.id }, 'an email is not composed');
        return error instanceof UnsendableContent ? UNSENDABLE : NOT_COMPOSED;
      }),
    );
  }

  private record(email: Email, attempt: EmailAttempt, outcome: EmailOutcome): Promise<Email> {
    const change = (current: Email, at: Date) =>
      withOutcome(current, attempt, outcome, this.environments.handOver(at));
    const entry = suppressionOf(email, attempt.recipient, outcome, new Date(this.clock.now()));
    return this.recorder.record({ id: email.id, change }, async () => {
      if (entry !== null) await this.parts.suppressions.add([entry]);
    });
  }

  private async apply(requests: readonly EmailChangeRequest[]): Promise<(Email | null)[]> {
    crashPoint('dispatch.email-outcome.before-change');
    const emails = await this.changes.apply(requests);
    crashPoint('dispatch.email-outcome.after-change');
    return emails;
  }
}

function contentBytes(email: Email): number {
  const { attachments } = wordsOf(email);
  const known = email.command.content_bytes;
  return known ?? attachments.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0);
}

const UNSENDABLE: EmailOutcome = {
  outcome: 'rejected',
  rawCode: null,
  rawMessage: 'The message could not be composed.',
};

/**
 * The fault is ours, for example an unavailable database. Nothing was handed over, so it is
 * retried.
 */
const NOT_COMPOSED: EmailOutcome = {
  outcome: 'refused',
  temporary: true,
  rawCode: 'NOT_COMPOSED',
  rawMessage: 'The message could not be composed now.',
};
