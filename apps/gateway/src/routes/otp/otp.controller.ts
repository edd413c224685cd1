import { Controller, Inject } from '@nestjs/common';
import {
  type IdempotencyClaim,
  type MessageId,
  type OtpDetails,
  otpDetails,
  type Outcome,
  type ResendOtpAnswer,
  routes,
  type SendOtpAnswer,
  type SendOtpBody,
  type VerifyOtpAnswer,
  type VerifyOtpBody,
} from '@watchword/contracts';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { CancelOtpHandler } from '../../messages/otp/cancel-otp.handler.js';
import { checkedOtp, resentOtp, sentOtp } from '../../messages/otp/otp-answers.policy.js';
import { ResendOtpHandler } from '../../messages/otp/resend-otp.handler.js';
import { SendOtpHandler } from '../../messages/otp/send-otp.handler.js';
import { VerifyCodeHandler } from '../../messages/otp/verify-otp.handler.js';
import { scopeOf } from '../../messages/scope.policy.js';

type Keyed = IdempotencyClaim | null;

@Controller()
export class OtpController {
  constructor(
    @Inject(SendOtpHandler) private readonly sending: SendOtpHandler,
    @Inject(VerifyCodeHandler) private readonly verifying: VerifyCodeHandler,
    @Inject(CancelOtpHandler) private readonly cancelling: CancelOtpHandler,
    @Inject(ResendOtpHandler) private readonly resending: ResendOtpHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
  ) {}

  @Operation(routes.sendOtp)
  async send(
    @Caller() caller: KeyCaller,
    @Body() body: SendOtpBody,
    @Claim() claim: Keyed,
  ): Promise<Outcome<SendOtpAnswer>> {
    const { command, replayed } = await this.sending.send(caller, body, claim);
    return { body: sentOtp(command), replayed };
  }

  @Operation(routes.verifyOtp)
  async verify(
    @Caller() caller: KeyCaller,
    @Body() body: VerifyOtpBody,
    @Claim() claim: Keyed,
  ): Promise<Outcome<VerifyOtpAnswer>> {
    const result = await this.verifying.verify(caller, body, claim);
    return { body: checkedOtp(result), replayed: result.replayed };
  }

  @Operation(routes.resendOtp)
  async resend(
    @Caller() caller: KeyCaller,
    @Id() id: MessageId,
    @Body() _body: object,
    @Claim() claim: Keyed,
  ): Promise<Outcome<ResendOtpAnswer>> {
    const { command, replayed } = await this.resending.resend(caller, id, claim);
    return { body: resentOtp(command), replayed };
  }

  @Operation(routes.cancelOtp)
  async cancel(
    @Caller() caller: KeyCaller,
    @Id() id: MessageId,
    @Body() _body: object,
    @Claim() claim: Keyed,
  ): Promise<Outcome<OtpDetails>> {
    const { record, replayed } = await this.cancelling.cancel(caller, id, claim);
    return { body: otpDetails(record), replayed };
  }

  @Operation(routes.getOtp)
  async get(@Caller() caller: KeyCaller, @Id() id: MessageId): Promise<Outcome<OtpDetails>> {
    const record = await this.messages.find(scopeOf(caller), id, 'otp');
    return { body: otpDetails(record) };
  }
}
