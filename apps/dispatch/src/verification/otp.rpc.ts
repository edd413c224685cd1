import { Injectable } from '@nestjs/common';
import type { DispatchCalls } from '@watchword/contracts';
import { MessageReads } from '../messages/message-reads.js';
import { storable } from '../messages/storable-claim.js';
import { wallsOf } from '../messages/walls.policy.js';
import { ReserveResendHandler } from './reserve-resend.handler.js';
import { VerifyOtpHandler } from './verify-otp.handler.js';

type OtpCalls = Pick<
  DispatchCalls,
  'getOtpDestination' | 'verifyOtp' | 'findVerification' | 'reserveResend' | 'releaseResend'
>;

/** Calls about one-time passwords. */
@Injectable()
export class OtpRpc {
  constructor(
    private readonly reads: MessageReads,
    private readonly verification: VerifyOtpHandler,
    private readonly resends: ReserveResendHandler,
  ) {}

  readonly calls: OtpCalls = {
    getOtpDestination: async (request) => {
      const id = request.otp_id;
      const within = wallsOf(request);
      // Neither ever changes, so the message as last seen is good enough.
      const message =
        this.verification.recent(id.toLowerCase(), within) ??
        (await this.reads.read(id, within, 'otp'));
      return { destination: message?.destination ?? null, test_mode: message?.testMode ?? false };
    },
    verifyOtp: (request) =>
      this.verification.verify({
        ...wallsOf(request),
        otpId: request.otp_id.toLowerCase(),
        code: request.code,
        idempotency: request.idempotency && storable(request.idempotency),
      }),
    findVerification: async (request) => ({
      result: await this.verification.find({
        workspaceId: request.workspace_id.toLowerCase(),
        idempotency: storable(request.idempotency),
      }),
    }),
    reserveResend: (request) =>
      this.resends.reserve({
        ...wallsOf(request),
        otpId: request.otp_id.toLowerCase(),
        resendId: request.resend_id,
      }),
    releaseResend: async (request) => {
      const { otp_id: otpId, resend_id: resendId } = request;
      const walls = wallsOf(request);
      await this.resends.release({ ...walls, otpId: otpId.toLowerCase(), resendId });
      return {};
    },
  };
}
