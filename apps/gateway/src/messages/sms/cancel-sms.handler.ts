import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  type MessageId,
  type MessageRecord,
  type SmsMessage,
  smsMessage,
} from '@watchword/contracts';
import { pollUntil, CLOCK } from '@watchword/platform';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { FindMessageHandler } from '../find-message.handler.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import type { Scope } from '../scope.policy.js';

/** Milliseconds until dispatch has a message that was just accepted. */
const ARRIVAL_MS = 2_000;
/** Milliseconds until the ledger has the refund. */
const SETTLEMENT_MS = 5_000;

export interface CancelledSms {
  readonly message: SmsMessage;
  readonly replayed: boolean;
}

/** Cancels an SMS of either family without an attempt, and waits for its refund. */
@Injectable()
export class CancelSmsHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'cancelMessage' | 'getMessage'>,
    private readonly messages: FindMessageHandler,
    private readonly inFlight: InFlightKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  cancel(scope: Scope, id: MessageId, claim: IdempotencyClaim | null): Promise<CancelledSms> {
    return this.inFlight.during(scope.workspace_id, claim, async () => {
      // An unknown id gives 404 at once. A message on its way to dispatch is awaited.
      await this.messages.find(scope, id, 'sms');
      const { message, settled, replayed } = await this.ask(scope, id, claim);
      const record = settled ? message : await this.settled(scope, message);
      return { message: smsMessage(record), replayed };
    });
  }

  private async ask(scope: Scope, id: MessageId, idempotency: IdempotencyClaim | null) {
    const request = { ...scope, message_id: id, kind: 'sms' as const, idempotency };
    const result = await pollUntil(
      this.clock,
      ARRIVAL_MS,
      () => this.dispatch.cancelMessage(request),
      ({ outcome }) => outcome !== 'not_found',
    );
    if (result.outcome === 'cancelled') return result;
    if (result.outcome === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    if (result.outcome === 'conflict') {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.smsHandedOver });
    }
    throw new ApiError('conflict', {
      message: ERROR_MESSAGES.smsStillProcessed,
      retryAfterSeconds: 1,
    });
  }

  private async settled(scope: Scope, cancelled: MessageRecord): Promise<MessageRecord> {
    const asked = { ...scope, message_id: cancelled.id, kind: 'sms' as const };
    const { message } = await pollUntil(
      this.clock,
      SETTLEMENT_MS,
      () => this.dispatch.getMessage(asked),
      ({ message: current }) => current?.refunded != null,
    );
    return message ?? cancelled;
  }
}
