import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type CancelResult,
  type Clock,
  type DispatchCalls,
  type IdempotencyClaim,
  type MessageId,
  type MessageRecord,
  unknownResource,
} from '@watchword/contracts';
import { pollUntil, CLOCK } from '@watchword/platform';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import { scopeOf } from '../scope.policy.js';
import { OtpDestinations } from './otp-destinations.js';
import { stillProcessed } from './still-processed.js';

/** Milliseconds until dispatch has an OTP that was just accepted. */
const ARRIVAL_MS = 2_000;
/** Milliseconds; longer than a provider's answer and the wait for a report, which can decide about the refund. */
const SETTLEMENT_MS = 15_000;

export interface CancelledOtp {
  record: MessageRecord;
  replayed: boolean;
}

/**
 * Cancels, then waits until the ledger knows the cost, so `refunded` in the answer is final (ADR
 * 7). If that takes too long, the record is shown as before, although its code no longer verifies.
 */
@Injectable()
export class CancelOtpHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'cancelMessage' | 'getMessage'>,
    private readonly destinations: OtpDestinations,
    private readonly inFlight: InFlightKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  cancel(caller: Caller, otpId: MessageId, claim: IdempotencyClaim | null): Promise<CancelledOtp> {
    const workspaceId = caller.workspace.id;
    return this.inFlight.during(workspaceId, claim, async () => {
      const destination = await this.destinations.find(caller, otpId);
      if (destination === null) throw unknownResource('otp');
      const result = await this.ask(caller, otpId, claim);
      const { message, settled, replayed } = result;
      return { record: settled ? message : await this.settled(message), replayed };
    });
  }

  private async ask(
    caller: Caller,
    otpId: MessageId,
    claim: IdempotencyClaim | null,
  ): Promise<Extract<CancelResult, { outcome: 'cancelled' }>> {
    const request = {
      ...scopeOf(caller),
      message_id: otpId,
      kind: 'otp' as const,
      idempotency: claim,
    };
    const result = await pollUntil(
      this.clock,
      ARRIVAL_MS,
      () => this.dispatch.cancelMessage(request),
      ({ outcome }) => outcome !== 'not_found',
    );
    if (result.outcome === 'cancelled') return result;
    if (result.outcome === 'not_found') throw stillProcessed();
    throw new ApiError(result.outcome);
  }

  private async settled(cancelled: MessageRecord): Promise<MessageRecord> {
    const { workspace_id, test_mode, id: message_id } = cancelled;
    const { message } = await pollUntil(
      this.clock,
      SETTLEMENT_MS,
      () => this.dispatch.getMessage({ workspace_id, test_mode, message_id, kind: 'otp' }),
      ({ message: current }) => current?.refunded != null,
    );
    return message ?? cancelled;
  }
}
