import { type Static, Type } from '@sinclair/typebox';
import { MESSAGE_KINDS } from '../channels/channels.js';
import { EmailCommand } from '../channels/email/email-command.schema.js';
import { OtpContent, OtpResend } from '../channels/otp/otp-content.schema.js';
import { SmsContent } from '../channels/sms/sms-content.schema.js';
import type { MessageId, WorkspaceId } from '../ids.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * The command that carries an accepted, priced and charged message to dispatch. Topic
 * `svc.send-commands.v1`, key = destination. It holds no code of an OTP: dispatch draws the code.
 * It holds no texts or attachments of an email: dispatch stored them before the acceptance.
 */
export const SendMessage = Type.Object({
  message_id: idOf<MessageId>(),
  workspace_id: idOf<WorkspaceId>(),
  test_mode: Type.Boolean(),
  kind: words(...MESSAGE_KINDS),
  family: words('a', 'b'),
  /** Number in E.164 with the plus sign. For an email, the address of its first recipient. */
  destination: Type.String(),
  /** ISO 3166 code of the country. Empty for an email. */
  country_code: Type.String(),
  /**
   * Network token such as `mtn_ng`: guessed from the prefix, or of a ported number. Null when
   * unknown.
   */
  network: nullable(Type.String()),
  sender_id: nullable(Type.String()),
  /** Number of priced units: segments of a text, or recipients of an email. */
  segments: Type.Integer({ minimum: 1 }),
  /**
   * Credits charged for the whole message. In test mode, the credits that live would have charged.
   */
  credits: Type.Integer({ minimum: 0 }),
  /** Price of one credit when the message was accepted, in the smallest unit of the currency. */
  credit_price: Type.Optional(Type.Object({ amount: Type.Integer(), currency: Type.String() })),
  /** Which price applied, for example `country:NG` or `network:mtn_ng`, with the list's version. */
  price_rule: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  /** ISO 8601 UTC with milliseconds. */
  created_at: Type.String(),
  /**
   * Time at which a scheduled message is due. It is charged at acceptance all the same. Absent or
   * null means now.
   */
  send_at: Type.Optional(nullable(Type.String())),
  sms: nullable(SmsContent),
  otp: nullable(OtpContent),
  /**
   * Present for a resend. `message_id` is then the id of the charge, and `sms` and `otp` are null.
   */
  resend: Type.Optional(nullable(OtpResend)),
  /** Present for kind `email`, where `sms` and `otp` are null. Otherwise absent or null. */
  email: Type.Optional(nullable(EmailCommand)),
  /**
   * Bytes of an email's HTML, text and attachments. Absent in commands of earlier releases, whose programs show every
   * member of `email` to customers.
   */
  content_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type SendMessage = Static<typeof SendMessage>;
