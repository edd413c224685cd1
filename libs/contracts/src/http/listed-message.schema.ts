import { type Static, Type } from '@sinclair/typebox';
import { OtpDetails } from './otp.schema.js';
import { SmsDetails } from './sms.schema.js';

/** A message to a phone, as lists of all kinds show it. */
export const ListedMessage = Type.Union([
  Type.Composite([Type.Object({ kind: Type.Literal('otp') }), OtpDetails]),
  Type.Composite([
    Type.Object({ kind: Type.Literal('sms') }),
    SmsDetails,
    /**
     * `original_message` is the caller's text where rewriting changed it; `message` is the text
     * sent.
     */
    Type.Object({ original_message: Type.Optional(Type.String()) }),
  ]),
]);
export type ListedMessage = Static<typeof ListedMessage>;
