import { type Static, Type } from '@sinclair/typebox';

/**
 * The one command: an accepted, priced and charged message, on its way to a carrier. Topic
 * `svc.send-commands.v1`, key = destination. An OTP's code is not here: it is born in dispatch. An email's
 * texts and attachments are not here: dispatch stored them before the acceptance.
 */
export const SmsContent = Type.Object({
  body: Type.String(),
  /** What the caller gave, when rewriting changed it. */
  original_body: Type.Union([Type.String(), Type.Null()]),
  encoding: Type.Union([Type.Literal('GSM-7'), Type.Literal('UCS-2')]),
  rewritten: Type.Boolean(),
  anti_spam: Type.Union([Type.Literal('off'), Type.Literal('tag'), Type.Literal('block')]),
});

export const OtpContent = Type.Object({
  code_length: Type.Integer({ minimum: 4, maximum: 8 }),
  ttl_seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  expires_at: Type.String(),
  language: Type.Union([Type.Literal('en'), Type.Literal('fr')]),
  max_attempts: Type.Integer({ minimum: 1 }),
  /** Name that the text shows, already safe for GSM-7. */
  brand: Type.String(),
  /** The workspace's own text with `{code}`; null means the default text of the language. */
  template: Type.Union([Type.String(), Type.Null()]),
  /** Below the text, for phones that fill the code in by themselves; may contain `{code}`. */
  last_line: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** How often it may be sent again. */
  resend_max: Type.Optional(Type.Integer({ minimum: 0 })),
  strict: Type.Boolean(),
});

/**
 * The same code once more. Accepted and charged like a send, with an id of its own for the charge;
 * the code, the text and the rest of the one-time password are where they were born, in dispatch.
 */
export const OtpResend = Type.Object({
  otp_id: Type.String(),
  code_length: Type.Integer(),
  /** That of the one-time password: sending it again does not prolong it. */
  expires_at: Type.String(),
  /** How many more are left after this one. */
  remaining: Type.Integer({ minimum: 0 }),
});

/** A header field of an email that the caller names. */
const HeaderName = Type.String({ minLength: 1, maxLength: 100 });

/** An attachment without its content. */
export const EmailAttachment = Type.Object({
  filename: Type.String(),
  content_type: Type.String(),
  /** Of an inline image that the HTML names as `cid:`. */
  content_id: Type.Union([Type.String(), Type.Null()]),
  size_bytes: Type.Integer({ minimum: 0 }),
});

/**
 * An email but for its texts and attachments, which `content_sha256` names. Addresses are `addr` or
 * `Name <addr>`, as the caller gave them.
 */
export const EmailCommand = Type.Object({
  /** What `storeEmailContent` answered. */
  content_sha256: Type.String(),
  /** Domain of `from`, in lower case. Dispatch looks the workspace's verified domain up by it. */
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
  category: Type.Union([Type.Literal('transactional'), Type.Literal('marketing')]),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  /**
   * Every distinct bare address of `to`, `cc` and `bcc`, in that order, its domain in lower case. A
   * recipient's number, in tokens and reports, is its place in this list, from 0. `segments` is its length.
   */
  recipients: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
});

export const SendMessage = Type.Object({
  message_id: Type.String(),
  workspace_id: Type.String(),
  test_mode: Type.Boolean(),
  kind: Type.Union([Type.Literal('otp'), Type.Literal('sms'), Type.Literal('email')]),
  family: Type.Union([Type.Literal('a'), Type.Literal('b')]),
  /** E.164 with the plus sign; of an email the address of its first recipient. */
  destination: Type.String(),
  /** Empty for an email. */
  country_code: Type.String(),
  /** Network token such as `mtn_ng`, guessed from the prefix; null when unknown. */
  network: Type.Union([Type.String(), Type.Null()]),
  sender_id: Type.Union([Type.String(), Type.Null()]),
  /** What is priced: segments, or the recipients of an email. */
  segments: Type.Integer({ minimum: 1 }),
  /** Credits charged in all; in test mode what live would have charged. */
  credits: Type.Integer({ minimum: 0 }),
  /** Price of one credit when the message was accepted, in the smallest unit of the currency. */
  credit_price: Type.Optional(Type.Object({ amount: Type.Integer(), currency: Type.String() })),
  /** Which price applied, for example `country:NG` or `network:mtn_ng`, with the list's version. */
  price_rule: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  /** ISO 8601 UTC with milliseconds. */
  created_at: Type.String(),
  /** When a scheduled message is due; charged at acceptance all the same. Absent or null: now. */
  send_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  sms: Type.Union([SmsContent, Type.Null()]),
  otp: Type.Union([OtpContent, Type.Null()]),
  /** Makes it a resend: `message_id` is then the charge's, and `sms` and `otp` are null. */
  resend: Type.Optional(Type.Union([OtpResend, Type.Null()])),
  /** Of kind `email`, where `sms` and `otp` are null; otherwise absent or null. */
  email: Type.Optional(Type.Union([EmailCommand, Type.Null()])),
});
export type SendMessage = Static<typeof SendMessage>;

export type SmsContent = Static<typeof SmsContent>;
export type OtpContent = Static<typeof OtpContent>;
export type OtpResend = Static<typeof OtpResend>;
export type EmailCommand = Static<typeof EmailCommand>;
export type EmailAttachment = Static<typeof EmailAttachment>;
