import { Type } from '@sinclair/typebox';
import { SendEmailBody } from './email.schema.js';
import { CreateSmsBody } from './messaging.schema.js';
import { SendOtpBody } from './otp.schema.js';
import { SendSmsBody } from './sms.schema.js';

/** The body of `POST /v1/quote`: `kind`, and beside it the body of that send. */
export const QuoteBody = Type.Union([
  Type.Composite([Type.Object({ kind: Type.Literal('otp') }), SendOtpBody]),
  Type.Composite([Type.Object({ kind: Type.Literal('sms') }), SendSmsBody]),
  Type.Composite([Type.Object({ kind: Type.Literal('sms') }), CreateSmsBody]),
  Type.Composite([Type.Object({ kind: Type.Literal('email') }), SendEmailBody]),
]);
