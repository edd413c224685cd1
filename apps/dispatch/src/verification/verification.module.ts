import { Module, type Provider } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { GuessStore } from './guess.store.js';
import { OtpExpiryJob } from './otp-expiry.job.js';
import { OtpExpiryStore } from './otp-expiry.store.js';
import { OtpRpc } from './otp.rpc.js';
import { ReserveResendHandler } from './reserve-resend.handler.js';
import { VerifyOtpHandler } from './verify-otp.handler.js';

const providers: Provider[] = [
  GuessStore,
  VerifyOtpHandler,
  ReserveResendHandler,
  OtpExpiryStore,
  OtpExpiryJob,
];

/** The life of a code: verified, reserved for a resend, expired. */
@Module({ controllers: [OtpRpc], imports: [MessagesModule], providers, exports: providers })
export class VerificationModule {}
