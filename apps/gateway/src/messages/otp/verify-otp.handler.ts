import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  type IdempotencyClaim,
  lowerId,
  type MessageId,
  unknownResource,
  type VerifyOtpBody,
  type VerifyResult,
  type WorkspaceId,
} from '@watchword/contracts';
import { pollUntil, CLOCK } from '@watchword/platform';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { isWithoutEffect } from '@watchword/rpc';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { verificationCounter } from '../../limits/limit-table.policy.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import { scopeOf } from '../scope.policy.js';
import { OtpDestinations, type OtpDestination } from './otp-destinations.js';
import { stillProcessed } from './still-processed.js';

/** Milliseconds that a verification waits for an OTP that was just accepted to reach dispatch. */
const TIMEOUT_MS = 2_000;

export type CheckedOtp = Extract<VerifyResult, { outcome: 'checked' }>;

/**
 * Verifies a guess. Before a request with an Idempotency-Key is refused, its key is looked up: a
 * guess with a lost answer was counted, and its retry must not count again or be refused as too
 * frequent.
 */
@Injectable()
export class VerifyCodeHandler {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'verifyOtp' | 'findVerification'>,
    private readonly destinations: OtpDestinations,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly inFlight: InFlightKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  verify(caller: Caller, body: VerifyOtpBody, claim: IdempotencyClaim | null): Promise<CheckedOtp> {
    const otpId = lowerId(body.otp_id);
    const { workspace } = caller;
    return this.inFlight.during(workspace.id, claim, async () => {
      const destination = await this.destinations.find(caller, otpId);
      if (destination === null) {
        return this.replayInsteadOf(unknownResource('otp'), workspace.id, claim);
      }
      const counters = countersOf(workspace, destination);
      try {
        await takeOrRefuse(this.limiter, counters, 'rate_limited');
      } catch (error) {
        return this.replayInsteadOf(error, workspace.id, claim);
      }
      return this.guess(caller, { otpId, code: body.code, claim }, counters);
    });
  }

  private async guess(
    caller: Caller,
    guess: { otpId: MessageId; code: string; claim: IdempotencyClaim | null },
    counters: readonly Counter[],
  ): Promise<CheckedOtp> {
    let result: VerifyResult;
    try {
      result = await this.ask(caller, guess);
    } catch (error) {
      if (isWithoutEffect(error)) await this.limiter.giveBack(counters);
      throw error;
    }
    const isReplay = result.outcome === 'checked' && result.replayed;
    if (isReplay || result.outcome === 'idempotency_conflict') {
      await this.limiter.giveBack(counters);
    }
    return checkedOrRefused(result);
  }

  private async replayInsteadOf(
    error: unknown,
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
  ): Promise<CheckedOtp> {
    if (claim === null || !(error instanceof ApiError)) throw error;
    const request = { workspace_id: workspaceId, idempotency: claim };
    const { result } = await this.dispatch.findVerification(request);
    if (result === null) throw error;
    return checkedOrRefused(result);
  }

  /** The OTP exists, so "not found" only means that it has not reached dispatch yet. */
  private async ask(
    caller: Caller,
    { otpId, code, claim }: { otpId: MessageId; code: string; claim: IdempotencyClaim | null },
  ): Promise<VerifyResult> {
    const request = { ...scopeOf(caller), otp_id: otpId, code, idempotency: claim };
    const result = await pollUntil(
      this.clock,
      TIMEOUT_MS,
      () => this.dispatch.verifyOtp(request),
      ({ outcome }) => outcome !== 'not_found',
    );
    if (result.outcome === 'not_found') throw stillProcessed();
    return result;
  }
}

function countersOf({ id, settings }: Caller['workspace'], { e164, testMode }: OtpDestination) {
  return testMode ? [] : [verificationCounter(id, e164, settings.limits)];
}

function checkedOrRefused(result: VerifyResult): CheckedOtp {
  if (result.outcome === 'checked') return result;
  if (result.outcome === 'guessing_capped') {
    throw new ApiError('rate_limited', { retryAfterSeconds: result.retry_after_seconds });
  }
  throw new ApiError(result.outcome);
}
