import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, lowerId, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { writtenDigits } from '@watchword/telephony';
import { MessageReads } from '../messages/message-reads.js';
import { storable } from '../messages/storable-claim.js';
import { scopeOf } from '../messages/scope.policy.js';
import { ReserveResendHandler } from './reserve-resend.handler.js';
import { VerifyOtpHandler } from './verify-otp.handler.js';

/** Calls about one-time passwords. */
@Controller()
export class OtpRpc {
  constructor(
    private readonly reads: MessageReads,
    private readonly verification: VerifyOtpHandler,
    private readonly resends: ReserveResendHandler,
  ) {}

  @CallPattern(dispatchCalls, 'getOtpDestination')
  async getOtpDestination(request: RequestOf<'getOtpDestination'>): AnswerOf<'getOtpDestination'> {
    const id = request.otp_id;
    const within = scopeOf(request);
    // Neither changes while a code can be verified, so a remembered message is good enough.
    const message =
      this.verification.recent(lowerId(id), within) ?? (await this.reads.read(id, within, 'otp'));
    return { destination: message?.destination ?? null, test_mode: message?.testMode ?? false };
  }

  @CallPattern(dispatchCalls, 'verifyOtp')
  verifyOtp(request: RequestOf<'verifyOtp'>): AnswerOf<'verifyOtp'> {
    return this.verification.verify({
      ...scopeOf(request),
      otpId: lowerId(request.otp_id),
      code: writtenDigits(request.code),
      idempotency: request.idempotency && storable(request.idempotency),
    });
  }

  @CallPattern(dispatchCalls, 'findVerification')
  async findVerification(request: RequestOf<'findVerification'>): AnswerOf<'findVerification'> {
    return {
      result: await this.verification.find({
        workspaceId: lowerId(request.workspace_id),
        idempotency: storable(request.idempotency),
      }),
    };
  }

  @CallPattern(dispatchCalls, 'reserveResend')
  reserveResend(request: RequestOf<'reserveResend'>): AnswerOf<'reserveResend'> {
    return this.resends.reserve({
      ...scopeOf(request),
      otpId: lowerId(request.otp_id),
      resendId: request.resend_id,
    });
  }

  @CallPattern(dispatchCalls, 'releaseResend')
  async releaseResend(request: RequestOf<'releaseResend'>): AnswerOf<'releaseResend'> {
    const { otp_id: otpId, resend_id: resendId } = request;
    const scope = scopeOf(request);
    await this.resends.release({ ...scope, otpId: lowerId(otpId), resendId });
    return {};
  }
}
