import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  type MessageId,
  newId,
  type ReserveResendResult,
  unknownResource,
} from '@watchword/contracts';
import { pollUntil, CLOCK } from '@watchword/platform';
import { isWithoutEffect } from '@watchword/rpc';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { otpSendWindows } from '../../limits/otp-send-windows.js';
import { PrefixGuard } from '../../limits/prefix-guard.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import { AcceptSendHandler, type AcceptedSend, type PreparedSend } from '../accept-send.handler.js';
import { CountryWatch } from '../country-watch.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { scopeOf } from '../scope.policy.js';
import { OtpDestinations } from './otp-destinations.js';
import { stillProcessed } from './still-processed.js';

/** Milliseconds to wait for a provider's answer before a resend is refused because of it. */
const HAND_OVER_MS = 3_000;

type Reserved = Extract<ReserveResendResult, { outcome: 'reserved' }>;

/**
 * Sends the same code again (ADR 4). The resend is taken from the OTP's budget in dispatch first,
 * then counted, charged and queued like any send. One that is certainly not charged is given back.
 */
@Injectable()
export class ResendOtpHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'reserveResend' | 'releaseResend'>,
    private readonly destinations: OtpDestinations,
    private readonly countries: CountryWatch,
    private readonly prefixes: PrefixGuard,
    private readonly trials: TrialWorkspaces,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async resend(
    caller: Caller,
    otpId: MessageId,
    claim: IdempotencyClaim | null,
  ): Promise<AcceptedSend> {
    const resendId = newId();
    const given = { ...scopeOf(caller), otp_id: otpId, resend_id: resendId };
    let isReserved = false;
    const accepting = this.acceptance.accept(caller.workspace.id, claim, async () => {
      const isTrial = await this.trials.check(caller);
      const reserved = await this.reserve(caller, otpId, resendId);
      isReserved = true;
      if (caller.mode === 'live') await this.prefixes.current();
      return this.prepare(caller, resendId, reserved, isTrial);
    });
    const accepted = await accepting.catch(async (error: unknown) => {
      if (isReserved && isCertainlyUncharged(error)) await this.dispatch.releaseResend(given);
      throw error;
    });
    if (isReserved && accepted.replayed) await this.dispatch.releaseResend(given);
    return accepted;
  }

  private async reserve(caller: Caller, otpId: MessageId, resendId: MessageId): Promise<Reserved> {
    const destination = await this.destinations.find(caller, otpId);
    if (destination === null) throw unknownResource('otp');
    const request = { ...scopeOf(caller), otp_id: otpId, resend_id: resendId };
    const result = await pollUntil(
      this.clock,
      HAND_OVER_MS,
      () => this.dispatch.reserveResend(request),
      ({ outcome }) => outcome !== 'not_found' && outcome !== 'not_sent_yet',
    );
    if (result.outcome === 'reserved') return result;
    throw refusalOf(result.outcome);
  }

  private prepare(
    caller: Caller,
    resendId: MessageId,
    reserved: Reserved,
    isTrial: boolean,
  ): PreparedSend {
    const { workspace } = caller;
    const { message, remaining } = reserved;
    const { destination, otp, test_mode: testMode } = message;
    if (!otp) throw new Error(`message ${message.id} is not a one-time password`);
    this.countries.check(caller, message.country_code);
    return {
      windows: testMode ? [] : otpSendWindows(this.prefixes, workspace, destination, isTrial),
      send: {
        message_id: resendId,
        workspace_id: workspace.id,
        test_mode: testMode,
        kind: 'otp',
        family: message.family,
        destination,
        country_code: message.country_code,
        network: message.network,
        sender_id: message.sender_id,
        segments: message.segments,
        metadata: {},
        sms: null,
        otp: null,
        resend: {
          otp_id: message.id,
          code_length: otp.code_length,
          expires_at: otp.expires_at,
          remaining,
        },
      },
    };
  }
}

/**
 * Returns whether it was certainly not charged. After a lost answer it may have been; an unused
 * reservation expires by itself.
 */
function isCertainlyUncharged(error: unknown): boolean {
  return error instanceof ApiError || isWithoutEffect(error);
}

function refusalOf(outcome: Exclude<ReserveResendResult['outcome'], 'reserved'>): ApiError {
  switch (outcome) {
    case 'not_found':
      return stillProcessed();
    case 'not_sent_yet':
      return new ApiError('conflict', {
        message: ERROR_MESSAGES.otpNotSentYet,
        retryAfterSeconds: 1,
      });
    case 'none_left':
      return new ApiError('conflict', {
        message: ERROR_MESSAGES.resendsUsedUp,
      });
    default:
      return new ApiError(outcome);
  }
}
