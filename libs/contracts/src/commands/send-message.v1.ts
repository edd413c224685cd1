import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { SmsFields } from '../channels/sms-fields.schema.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * The command that carries an accepted, priced and charged message to dispatch. Topic
 * `svc.send-commands.v1`, key = destination. It holds no code of an OTP: dispatch draws the code.
 * It holds no texts or attachments of an email: dispatch stored them before the acceptance.
 */
export const SmsContent = Type.Object({
  body: Type.String(),
  /** The text that the caller gave, where rewriting changed it; otherwise null. */
  original_body: nullable(Type.String()),
  encoding: words('GSM-7', 'UCS-2'),
  ...SmsFields.properties,
  anti_spam: words('off', 'tag', 'block'),
});

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
  strict: Type.Boolean(),
});

/**
 * A resend of an OTP: it sends the same code again. It is accepted and charged like a send, and its
 * charge has its own id. Dispatch already holds the code, the text and the rest of the OTP.
 */
export const OtpResend = Type.Object({
  otp_id: Type.String(),
  code_length: Type.Integer(),
  /** Expiry of the OTP. A resend does not change it. */
  expires_at: Type.String(),
  /** Resends left after this one. */
  remaining: Type.Integer({ minimum: 0 }),
});

/** Name of a header field that the caller adds to an email. */
const HeaderName = Type.String({ minLength: 1, maxLength: 100 });

/** An attachment without its content. */
export const EmailAttachment = Type.Object({
  filename: Type.String(),
  content_type: Type.String(),
  /** Id of an inline image that the HTML refers to as `cid:<id>`. Null for a normal attachment. */
  content_id: nullable(Type.String()),
  size_bytes: Type.Integer({ minimum: 0 }),
});

/**
 * An email without its texts and attachments, which `content_sha256` refers to. Addresses are
 * `addr` or `Name <addr>`, as the caller gave them.
 */
export const EmailCommand = Type.Object({
  /** The hash that `storeEmailContent` returned. */
  content_sha256: Type.String(),
  /** Domain of `from`, in lower case. Dispatch finds the workspace's verified domain by it. */
  from_domain: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: Type.String(),
  headers: Type.Record(HeaderName, Type.String()),
  attachments: Type.Array(EmailAttachment),
  tags: Type.Array(Type.String()),
  category: words('transactional', 'marketing'),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  /**
   * Every distinct bare address of `to`, `cc` and `bcc`, in that order, its domain in lower case.
   * Tokens and reports name a recipient by its index in this list, from 0. `segments` is the length
   * of the list.
   */
  recipients: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
});

export const SendMessage = Type.Object({
  message_id: Type.String(),
  workspace_id: idOf<WorkspaceId>(),
  test_mode: Type.Boolean(),
  kind: words('otp', 'sms', 'email'),
  family: words('a', 'b'),
  /** Number in E.164 with the plus sign. For an email, the address of its first recipient. */
  destination: Type.String(),
  /** ISO 3166 code of the country. Empty for an email. */
  country_code: Type.String(),
  /** Network token such as `mtn_ng`, guessed from the prefix. Null when unknown. */
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

export type SmsContent = Static<typeof SmsContent>;
export type OtpContent = Static<typeof OtpContent>;
export type OtpResend = Static<typeof OtpResend>;
export type EmailCommand = Static<typeof EmailCommand>;
export type EmailAttachment = Static<typeof EmailAttachment>;
