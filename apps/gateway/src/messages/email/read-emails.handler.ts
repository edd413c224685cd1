import { Inject, Injectable } from '@nestjs/common';
import {
  acceptedEmail,
  ApiError,
  type BillingCalls,
  type Clock,
  type DispatchCalls,
  type Email,
  type EmailRecord,
  emailResource,
  type EmailSummary,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  isUuid,
  type MessageId,
  unknownResource,
} from '@watchword/contracts';
import { EmailComposer } from '@watchword/email';
import { CLOCK, pollUntil } from '@watchword/platform';
import { BILLING } from '../../calls/billing-calls.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import type { Scope } from '../scope.policy.js';

/** Milliseconds until dispatch has an email that was just accepted. */
const ARRIVAL_MS = 2_000;
/** Milliseconds until the ledger has the refund. */
const SETTLEMENT_MS = 5_000;

type Calls = Pick<DispatchCalls, 'getEmail' | 'cancelEmail'>;

/** Reads and cancels emails within the scope of the caller. */
@Injectable()
export class ReadEmailsHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Calls,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'findAcceptance'>,
    private readonly inFlight: InFlightKeys,
    private readonly composer: EmailComposer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async get(scope: Scope, id: MessageId): Promise<Email> {
    return this.shown(await this.find(scope, id));
  }

  /** Waits for the refund, so that the record shows it. */
  cancel(
    scope: Scope,
    id: MessageId,
    claim: IdempotencyClaim | null,
  ): Promise<{ email: Email; replayed: boolean }> {
    return this.inFlight.during(scope.workspace_id, claim, async () => {
      // An unknown id gives 404 at once. An email on its way to dispatch is awaited.
      const found = await this.find(scope, id);
      const { email, replayed } = await this.ask(scope, id, claim);
      return { email: await this.shown(await this.settled(scope, found, email)), replayed };
    });
  }

  private async find(scope: Scope, id: MessageId): Promise<EmailRecord> {
    if (!isUuid(id)) throw unknown();
    const { email } = await this.dispatch.getEmail({ ...scope, email_id: id });
    if (email !== null) return email;
    const { command } = await this.billing.findAcceptance({ ...scope, message_id: id });
    if (!command?.email) throw unknown();
    const arrived = await pollUntil(
      this.clock,
      ARRIVAL_MS,
      () => this.dispatch.getEmail({ ...scope, email_id: id }),
      ({ email: found }) => found !== null,
    );
    const accepted = { ...acceptedEmail(command), html: null, text: null, content_expired: false };
    return arrived.email ?? accepted;
  }

  private async ask(scope: Scope, id: MessageId, idempotency: IdempotencyClaim | null) {
    const result = await pollUntil(
      this.clock,
      ARRIVAL_MS,
      () => this.dispatch.cancelEmail({ ...scope, email_id: id, idempotency }),
      ({ outcome }) => outcome !== 'not_found',
    );
    if (result.outcome === 'cancelled') return result;
    if (result.outcome === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    if (result.outcome === 'conflict') {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.emailHandedOver });
    }
    throw new ApiError('conflict', {
      message: ERROR_MESSAGES.smsStillProcessed,
      retryAfterSeconds: 1,
    });
  }

  /** With its texts. This caller sees a cancelled email as cancelled before others do. */
  private async settled(
    scope: Scope,
    found: EmailRecord,
    cancelled: EmailSummary,
  ): Promise<EmailRecord> {
    const { email } = await pollUntil(
      this.clock,
      SETTLEMENT_MS,
      () => this.dispatch.getEmail({ ...scope, email_id: cancelled.id }),
      ({ email: current }) => cancelled.refunded !== null || current?.refunded != null,
    );
    return email?.refunded == null ? { ...(email ?? found), ...cancelled } : email;
  }

  private async shown(email: EmailRecord): Promise<Email> {
    const { html } = email;
    // Composing derives the same text.
    const text = email.text ?? (html === null ? null : await this.composer.textOf(html));
    return { ...emailResource(email), html, text, content_expired: email.content_expired };
  }
}

function unknown(): ApiError {
  return unknownResource('email');
}
