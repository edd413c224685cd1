import {
  ApiError,
  type Clock,
  type DispatchCalls,
  type IdempotencyClaim,
  type VerifyOtpBody,
  type VerifyResult,
} from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { Caller } from '../auth/key-directory.port.js';
import { BoundedMap } from '../bounded-map.js';
import type { InFlightKeys } from '../idempotency/in-flight-keys.js';
import { takeOrRefuse } from '../limits/limit-gate.js';
import { destinationCounters } from '../limits/limit-table.policy.js';
import type { OtpDestination, OtpDestinations } from './otp-destinations.js';
import { patiently, stillProcessed } from './patience.js';

/** How long a verification waits for dispatch to hear of an OTP that was accepted a moment ago. */
const PATIENCE_MS = 2_000;
const ANSWERED_KEYS_MAX = 10_000;

export type CheckedOtp = Extract<VerifyResult, { outcome: 'checked' }>;

export class VerifyOtpHandler {
  /**
   * Keys that were answered: their replays count against no limit. Counters live no longer than
   * this.
   */
  private readonly answered = new BoundedMap<string, true>(ANSWERED_KEYS_MAX);

  constructor(
    private readonly dispatch: Pick<DispatchCalls, 'verifyOtp'>,
    private readonly destinations: OtpDestinations,
    private readonly limiter: RateLimiter,
    private readonly inFlight: InFlightKeys,
    private readonly clock: Clock,
  ) {}

  verify(caller: Caller, body: VerifyOtpBody, claim: IdempotencyClaim | null): Promise<CheckedOtp> {
    const { workspace } = caller;
    const otpId = body.otp_id.toLowerCase();
    return this.inFlight.during(workspace.id, claim, async () => {
      const destination = await this.destinations.find(workspace.id, otpId);
      if (destination === null) throw new ApiError('not_found');
      const counters = this.countersFor(caller, destination, claim);
      await takeOrRefuse(this.limiter, counters, 'rate_limited');
      const result = await this.ask(workspace.id, otpId, body.code, claim);
      if (result.outcome === 'checked' && !result.replayed) {
        if (claim) this.answered.set(identityOf(workspace.id, claim), true);
        return result;
      }
      if (result.outcome === 'checked' || result.outcome === 'idempotency_conflict') {
        await this.limiter.giveBack(counters);
      }
      if (result.outcome === 'checked') return result;
      if (result.outcome === 'guessing_capped') {
        throw new ApiError('rate_limited', { retryAfterSeconds: result.retry_after_seconds });
      }
      throw new ApiError(result.outcome);
    });
  }

  private countersFor(
    { workspace }: Caller,
    destination: OtpDestination,
    claim: IdempotencyClaim | null,
  ) {
    if (destination.testMode) return [];
    if (claim && this.answered.get(identityOf(workspace.id, claim))) return [];
    const { limits } = workspace.settings;
    return destinationCounters('otp_verification', workspace.id, destination.e164, limits);
  }

  /** The OTP exists, so "not found" only says that it has not reached dispatch yet. */
  private async ask(
    workspaceId: string,
    otpId: string,
    code: string,
    claim: IdempotencyClaim | null,
  ): Promise<VerifyResult> {
    const request = { workspace_id: workspaceId, otp_id: otpId, code, idempotency: claim };
    const result = await patiently(
      this.clock,
      PATIENCE_MS,
      () => this.dispatch.verifyOtp(request),
      ({ outcome }) => outcome !== 'not_found',
    );
    if (result.outcome === 'not_found') throw stillProcessed();
    return result;
  }
}

function identityOf(workspaceId: string, claim: IdempotencyClaim): string {
  return `${workspaceId} ${claim.scope} ${claim.key}`;
}
