import { type Static, Type } from '@sinclair/typebox';
import type { MessageId } from '../../ids.js';
import { idOf, nullable, words } from '../../shapes.js';

/** The content of an OTP in its command. Dispatch draws the code. */
export const OtpContent = Type.Object({
  code_length: Type.Integer({ minimum: 4, maximum: 8 }),
  ttl_seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  expires_at: Type.String(),
  language: words('en', 'fr'),
  max_attempts: Type.Integer({ minimum: 1 }),
  /** Name shown in the text. All its characters are in GSM-7. */
  brand: Type.String(),
  /**
   * The workspace's own text, which contains `{code}`. Null means the default text of the language.
   */
  template: nullable(Type.String()),
  /** The last line of the text, by which phones fill the code in. It may contain `{code}`. */
  last_line: Type.Optional(nullable(Type.String())),
  /** How many times the code may be sent again. */
  resend_max: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Whether the next provider sends the code once more where a report says that it did not arrive. */
  reroute: Type.Optional(Type.Boolean()),
  strict: Type.Boolean(),
});
export type OtpContent = Static<typeof OtpContent>;

/**
 * A resend of an OTP: it sends the same code again. It is accepted and charged like a send, and its
 * charge has its own id. Dispatch already holds the code, the text and the rest of the OTP.
 */
export const OtpResend = Type.Object({
  otp_id: idOf<MessageId>(),
  code_length: Type.Integer(),
  /** Expiry of the OTP. A resend does not change it. */
  expires_at: Type.String(),
  /** Resends left after this one. */
  remaining: Type.Integer({ minimum: 0 }),
});
export type OtpResend = Static<typeof OtpResend>;
