// Written by `npm run docs` from the OpenAPI document. Do not edit.

export type ErrorType = 'validation_error' | 'phone_invalid' | 'sender_id_invalid' | 'dnd_blocked' | 'domain_unverified' | 'address_suppressed' | 'authentication_error' | 'insufficient_credits' | 'quota_exceeded' | 'sms_quota_exceeded' | 'permission_error' | 'country_not_enabled' | 'prefix_blocked' | 'not_found' | 'otp_expired' | 'otp_already_verified' | 'max_attempts_exceeded' | 'conflict' | 'idempotency_conflict' | 'rate_limit_exceeded' | 'rate_limited' | 'internal_error' | 'upstream_error';

export interface SendOtpRequest {
  /** Destination in E.164. */
  phone_number: string;
  /** Digits of the code. */
  code_length?: number | undefined;
  /** Seconds that the code is good for. */
  ttl_seconds?: number | undefined;
  /** Language of the text. */
  language?: 'en' | 'fr' | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface SentOtp {
  /** Id of the record. */
  id: string;
  /** Destination in E.164. */
  phone_number: string;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** Credits that the message costs. */
  credit_cost: number;
  /** State of the record. */
  status: 'pending';
  /** Digits of the code. */
  code_length: number;
  /** When it ends. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
}

export interface VerifyOtpRequest {
  /** Id of the one-time password. */
  otp_id: string;
  /** The code as the person typed it. */
  code: string;
}

export interface OtpVerification {
  /** Whether the code is right. */
  valid: boolean;
  /** State of the record. */
  status: 'pending' | 'sent' | 'verified' | 'failed';
  /** Guesses so far. */
  attempts_used: number;
  /** Guesses that are left; only while `valid` is false. */
  attempts_remaining?: number | undefined;
}

export interface OtpPage {
  /** The records. */
  data: Array<Otp>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface Otp {
  /** Id of the record. */
  id: string;
  /** Id of the workspace. */
  workspace_id: string;
  /** Destination in E.164. */
  phone_number: string;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** Credits that the message costs. */
  credit_cost: number;
  /** State of the record. */
  status: 'pending' | 'sent' | 'delivered' | 'verified' | 'expired' | 'failed';
  /** Digits of the code. */
  code_length: number;
  /** Seconds that the code is good for. */
  ttl_seconds: number;
  /** Attempts so far. */
  attempt_count: number;
  /** Guesses that are allowed. */
  max_attempts: number;
  /** Language of the text. */
  language: 'en' | 'fr';
  /** Whether it was made with a test key. */
  test_mode: boolean;
  /** When it ends. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** When a provider accepted the message; null until then. */
  sent_at: string | null;
  /** When the carrier reported the delivery; null until then. */
  delivered_at: string | null;
  /** When the right code came; null until then. */
  verified_at: string | null;
  /** When the message failed; null unless it failed. */
  failed_at: string | null;
  /** Why the message failed, as a stable token. */
  reason?: string | undefined;
  /** Whether the credits were given back. */
  refunded?: boolean | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata: Record<string, unknown>;
  /** States of the message, oldest first. */
  timeline: Array<TimelineHop>;
  /** Hand-overs to providers, oldest first. */
  provider_attempts: Array<ProviderAttempt>;
  /** Resends of the code that were charged. Absent where there are none. */
  resends?: Array<Resend> | undefined;
}

export interface ResentOtp {
  /** Id of the record. */
  id: string;
  /** Destination in E.164. */
  phone_number: string;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** Credits that the message costs. */
  credit_cost: number;
  /** State of the record. */
  status: 'pending';
  /** Digits of the code. */
  code_length: number;
  /** When it ends. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
  /** The `message_id` of the charge in the ledger. */
  resend_id: string;
  /** Resends that are left. */
  resends_remaining: number;
}

export interface SendTransactionalSmsRequest {
  /** Destination in E.164. */
  phone_number: string;
  /** The text of the message. */
  message: string;
  /** The sender ID. */
  sender_id?: string | undefined;
  /** What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`. */
  category?: 'transactional' | 'promotional' | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface SentSms {
  /** Id of the record. */
  id: string;
  /** Destination in E.164. */
  phone_number: string;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** Credits that the message costs. */
  credit_cost: number;
  /** SMS segments of the text. */
  segments: number;
  /** Alphabet of the text: `GSM-7` or `UCS-2`. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Whether the text was changed to fit GSM-7. */
  rewritten: boolean;
  /** State of the record. */
  status: 'pending';
  /** When it was created. */
  created_at: string;
}

export interface SmsDetailsPage {
  /** The records. */
  data: Array<SmsDetails>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface SmsDetails {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** State of the record. */
  status: 'pending' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'scheduled' | 'queued' | 'rejected' | 'cancelled';
  /** Destination in E.164. */
  to: string;
  /** Sender ID. */
  from: string | null;
  /** The text. */
  body: string | null;
  /** SMS segments of the text. */
  segments: number;
  /** Alphabet of the text: `GSM-7` or `UCS-2`. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Whether the text was changed to fit GSM-7. */
  rewritten: boolean;
  /** ISO 3166-1 alpha-2 code of the country. */
  country: string;
  /** Network of the destination, as a token; null while it is unknown. */
  carrier: string | null;
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider: string | null;
  /** Id that the provider gave the message. */
  provider_message_id: string | null;
  /** Hand-overs to providers, oldest first. */
  provider_attempts: Array<SmsDetailsProviderAttempt>;
  /** Price of the message at its acceptance. */
  cost: Cost;
  /** Why the message failed, as a code; null unless it failed. */
  error_code: string | null;
  /** Why the message failed, in words. */
  error_message: string | null;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata: Record<string, unknown>;
  /** Whether it was made with a test key. */
  test_mode: boolean;
  /** When to send; null for at once. */
  send_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When a provider accepted the message; null until then. */
  sent_at: string | null;
  /** When the carrier reported the delivery; null until then. */
  delivered_at: string | null;
  /** Id of the workspace. */
  workspace_id: string;
  /** Destination in E.164. */
  phone_number: string;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** The text of the message. */
  message: string | null;
  /** The sender ID. */
  sender_id: string | null;
  /** Credits that the message costs. */
  credit_cost: number;
  /** States of the message, oldest first. */
  timeline: Array<TimelineHop>;
  /** True once the texts are no longer kept. */
  content_expired?: boolean | undefined;
  /** The text of the request, if rewriting changed it. */
  original_body?: string | undefined;
  /** What the message is for. */
  category?: 'promotional' | undefined;
  /** Why the message failed, as a stable token. */
  reason?: string | undefined;
  /** Whether the credits were given back. */
  refunded?: boolean | undefined;
  /** Findings of the spam check. */
  antispam?: Record<string, unknown> | undefined;
}

export interface SendMessageRequest {
  /** Destination in E.164: a plus sign, then 8 to 15 digits. */
  to: string;
  /** Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end. */
  from: string;
  /** The text. Give this or `template`. */
  body?: string | undefined;
  /** Slug or id of an SMS template. Give this or `body`. */
  template?: string | undefined;
  /** Placeholders of the text. */
  variables?: Record<string, string | number | boolean> | undefined;
  /** What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`. */
  category?: 'transactional' | 'promotional' | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface SmsMessage {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** State of the record. */
  status: 'pending' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'scheduled' | 'queued' | 'rejected' | 'cancelled';
  /** Destination in E.164. */
  to: string;
  /** Sender ID. */
  from: string | null;
  /** The text. */
  body: string | null;
  /** SMS segments of the text. */
  segments: number;
  /** Alphabet of the text: `GSM-7` or `UCS-2`. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Whether the text was changed to fit GSM-7. */
  rewritten: boolean;
  /** ISO 3166-1 alpha-2 code of the country. */
  country: string;
  /** Network of the destination, as a token; null while it is unknown. */
  carrier: string | null;
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider: string | null;
  /** Id that the provider gave the message. */
  provider_message_id: string | null;
  /** Hand-overs to providers, oldest first. */
  provider_attempts: Array<SmsDetailsProviderAttempt>;
  /** Price of the message at its acceptance. */
  cost: Cost;
  /** Why the message failed, as a code; null unless it failed. */
  error_code: string | null;
  /** Why the message failed, in words. */
  error_message: string | null;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata: Record<string, unknown>;
  /** Whether it was made with a test key. */
  test_mode: boolean;
  /** When to send; null for at once. */
  send_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When a provider accepted the message; null until then. */
  sent_at: string | null;
  /** When the carrier reported the delivery; null until then. */
  delivered_at: string | null;
}

export interface SendMessageBatchRequest {
  /** Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end. */
  from?: string | undefined;
  /** Slug or id of an SMS template. Give this or `body`. */
  template?: string | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The messages, each with `to` and a text of its own or the shared template. */
  messages: Array<SmsBatchItem>;
}

export interface SmsBatch {
  /** How many items were accepted. */
  accepted: number;
  /** How many items were refused. */
  failed: number;
  /** The records. */
  data: Array<SmsBatchData>;
}

export interface RequestSenderIdRequest {
  /** The name: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end. */
  sender_id: string;
  /** Countries to register it in, as ISO 3166-1 alpha-2 codes. */
  countries: Array<string>;
  /** Legal name of the company that owns the name. */
  registered_entity: string;
  /** What the messages are for. */
  use_case: string;
  /** A typical message. */
  sample_message: string;
  /** Registration document. */
  registration_doc_url?: string | null | undefined;
  /** What the reviewer should know. */
  notes?: string | null | undefined;
}

export interface RegisteredSenderId {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** The sender ID. */
  sender_id: string;
  /** State of the record. */
  status: 'pending' | 'approved' | 'active' | 'suspended' | 'rejected';
  /** Countries, by ISO 3166-1 alpha-2 code. */
  countries: Array<string>;
  /** Decisions, one for each country. */
  reviews: Array<Review>;
  /** Legal name of the company that owns the name. */
  registered_entity: string;
  /** Registration document. */
  registration_doc_url: string | null;
  /** What the messages are for. */
  use_case: string;
  /** A typical message. */
  sample_message: string;
  /** What the reviewer should know. */
  notes: string | null;
  /** Why it was rejected; null unless it was. */
  rejection_reason: string | null;
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

export interface SenderIdList {
  /** The records. */
  data: Array<RegisteredSenderId>;
}

export interface UpdateSenderIdRequest {
  /** Countries to register it in, as ISO 3166-1 alpha-2 codes. */
  countries?: Array<string> | undefined;
  /** Legal name of the company that owns the name. */
  registered_entity?: string | undefined;
  /** What the messages are for. */
  use_case?: string | undefined;
  /** A typical message. */
  sample_message?: string | undefined;
  /** Registration document. */
  registration_doc_url?: string | null | undefined;
  /** What the reviewer should know. */
  notes?: string | null | undefined;
}

export interface CreateSmsTemplateRequest {
  /** Name for people. */
  name: string;
  /** Text with placeholders: `{{name}}`. */
  body: string;
  /** Short name for requests; derived from the name when left out. */
  slug?: string | undefined;
}

export interface SmsTemplate {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** Name for people. */
  name: string;
  /** Short name for requests. */
  slug: string;
  /** The text. */
  body: string;
  /** Names of the placeholders of the text. */
  variables: Array<string>;
  /** Number of the version. */
  version: number;
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

export interface SmsTemplatePage {
  /** The records. */
  data: Array<SmsTemplate>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface UpdateSmsTemplateRequest {
  /** Name for people. */
  name?: string | undefined;
  /** Text with placeholders: `{{name}}`. */
  body?: string | undefined;
}

export interface RenderSmsTemplateRequest {
  /** Placeholders of the text. */
  variables?: Record<string, string | number | boolean> | undefined;
}

export interface RenderedSmsTemplate {
  /** The text. */
  body: string;
  /** SMS segments of the text. */
  segments: number;
  /** Alphabet of the text: `GSM-7` or `UCS-2`. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Placeholders without a value. */
  missing: Array<string>;
}

export interface SendEmailRequest {
  /** One mailbox at a verified domain: `addr` or `Name <addr>`. */
  from: string;
  /** Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`. */
  to: Array<string> | string;
  /** The subject; it can be empty. */
  subject: string;
  /** The HTML part. Give this, `text` or both. */
  html?: string | undefined;
  /** The text part. Left out: derived from `html`; empty: none. */
  text?: string | undefined;
  /** Recipients of copies. */
  cc?: Array<string> | string | undefined;
  /** Recipients of blind copies. */
  bcc?: Array<string> | string | undefined;
  /** Where answers go. */
  reply_to?: Array<string> | string | undefined;
  /** Further headers. Those that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** Attached files. The finished message has at most 10 MiB. */
  attachments?: Array<SendEmailRequestAttachment> | undefined;
  /** Words to find the email by: letters, digits, - and _. */
  tags?: Array<string> | undefined;
  /** Marketing email carries one-click unsubscribe. */
  category?: 'transactional' | 'marketing' | undefined;
  /** Counts opens with a hidden image. */
  track_opens?: boolean | undefined;
  /** Counts clicks on links of the HTML. */
  track_clicks?: boolean | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface SentEmail {
  /** Id of the record. */
  id: string;
  /** State of the record. */
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled';
}

export type SendEmailBatchRequest = Array<EmailBatchItem>;

export interface EmailBatch {
  /** How many items were accepted. */
  accepted: number;
  /** How many items were refused. */
  failed: number;
  /** The records. */
  data: Array<EmailBatchData>;
}

export interface ListedEmailPage {
  /** The records. */
  data: Array<ListedEmail>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface Email {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** State of the record. */
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled';
  /** Mailbox of the sender. */
  from: string;
  /** Mailboxes of the recipients. */
  to: Array<string>;
  /** Recipients of copies. */
  cc: Array<string>;
  /** Recipients of blind copies. */
  bcc: Array<string>;
  /** Where answers go. */
  reply_to: Array<string>;
  /** The subject. */
  subject: string;
  /** Further headers of the email. */
  headers: Record<string, string>;
  /** Attached files, without their content. */
  attachments: Array<EmailAttachment>;
  /** Words to find the email by. */
  tags: Array<string>;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata: Record<string, unknown>;
  /** What the message is for. */
  category: 'transactional' | 'marketing';
  /** Whether opens are counted. */
  track_opens: boolean;
  /** Whether clicks are counted. */
  track_clicks: boolean;
  /** The recipients and their states. */
  recipients: Array<Recipient>;
  /** The `Message-ID` of every copy. */
  message_id: string;
  /** Price of the message at its acceptance. */
  cost: Cost;
  /** Recipients who opened the email. Machines do not count. */
  open_count: number;
  /** Recipients who clicked a link. Machines do not count. */
  click_count: number;
  /** States of the message, oldest first. */
  timeline: Array<Timeline>;
  /** Hand-overs to providers, oldest first. */
  provider_attempts: Array<EmailProviderAttempt>;
  /** Why the email failed; null unless it did. */
  error_code: string | null;
  /** Why the email failed, in words. */
  error_message: string | null;
  /** Whether it was made with a test key. */
  test_mode: boolean;
  /** When to send; null for at once. */
  send_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When a provider accepted the message; null until then. */
  sent_at: string | null;
  /** When the carrier reported the delivery; null until then. */
  delivered_at: string | null;
  /** The HTML part. */
  html: string | null;
  /** The text part. */
  text: string | null;
  /** True once the texts are no longer kept. */
  content_expired: boolean;
}

export interface CreateDomainRequest {
  /** The domain of the From addresses, exactly. */
  name: string;
}

export interface Domain {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** The domain. */
  name: string;
  /** State of the record. */
  status: 'pending' | 'verified' | 'temporary_failure' | 'failed';
  /** DNS records to publish. */
  records: Array<DomainRecord>;
  /** When it was created. */
  created_at: string;
  /** When the right code came; null until then. */
  verified_at: string | null;
  /** When the records were last looked up. */
  last_checked_at: string | null;
}

export interface DomainPage {
  /** The records. */
  data: Array<Domain>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface CreateSuppressionRequest {
  /** Email address that is not sent to any more. */
  address: string;
}

export interface EmailAddressSuppression {
  /** The email address, in lower case. */
  address: string;
  /** Channel of the message. */
  channel: 'email';
  /** Where it comes from. */
  origin: 'manual' | 'bounce' | 'complaint' | 'unsubscribe';
  /** Messages that the entry stops. */
  scope: 'all' | 'marketing';
  /** When it was created. */
  created_at: string;
}

export interface SuppressionPage {
  /** The records. */
  data: Array<Suppression>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface PublicPriceList {
  /** Price of one credit. */
  credit_price: CreditPrice;
  /** When it last changed. */
  updated_at: string;
  /** Countries, by ISO 3166-1 alpha-2 code. */
  countries: Array<Country>;
}

export interface AccountBalance {
  /** Id of the workspace. */
  workspace_id: string;
  /** Credits of the workspace. */
  balance: number;
  /** When it last changed. */
  updated_at: string;
}

export type CreateQuoteRequest = QuoteOtp | QuoteTransactionalSms | QuoteMessage | QuoteEmail;

export interface Quote {
  /** Id of a quote that fixes the price. */
  quote_id: string;
  /** When it ends. */
  expires_at: string;
  /** Number of credits. */
  credits: number;
  /** Price of the message. */
  price: CreditPrice;
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string | null;
  /** Name of the network. */
  network?: string | undefined;
  /** SMS segments of the text. */
  segments: number;
  /** Alphabet of the text: `GSM-7` or `UCS-2`; `UTF-8` of an email. */
  encoding: 'GSM-7' | 'UCS-2' | 'UTF-8';
  /** Whether the text was changed to fit GSM-7. */
  rewritten: boolean;
  /** The text. */
  body: string;
  /** Every check of a send, with its verdict. */
  gates: Array<Gate>;
}

export interface LedgerEntryPage {
  /** The records. */
  data: Array<LedgerEntry>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface EventsPage {
  /** The records. */
  data: Array<EventOfVariantA | EventOfVariantB>;
  /** `after` of the next page; left out on the last one. */
  next_after?: number | undefined;
}

export interface CreateWebhookRequest {
  /** HTTPS address of the receiver, on the public internet. */
  url: string;
  /** Names of the events that the endpoint gets, or `["*"]` for all of them. */
  events: Array<'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | '*'>;
  /** Free text for people. */
  description?: string | null | undefined;
}

export interface CreatedWebhook {
  /** Id of the record. */
  id: string;
  /** Address of the receiver. */
  url: string;
  /** Names of the events that the endpoint gets. */
  events: Array<'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | '*'>;
  /** Free text for people. */
  description: string | null;
  /** State of the record. */
  status: 'enabled' | 'disabled';
  /** Why it is disabled: `gone`, `failing` or `requested`. */
  disabled_reason: string | null;
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** Secret that signs the deliveries. */
  secret: string;
}

export interface WebhookPage {
  /** The records. */
  data: Array<Webhook>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface Webhook {
  /** Id of the record. */
  id: string;
  /** Address of the receiver. */
  url: string;
  /** Names of the events that the endpoint gets. */
  events: Array<'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | '*'>;
  /** Free text for people. */
  description: string | null;
  /** State of the record. */
  status: 'enabled' | 'disabled';
  /** Why it is disabled: `gone`, `failing` or `requested`. */
  disabled_reason: string | null;
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

export interface UpdateWebhookRequest {
  /** HTTPS address of the receiver, on the public internet. */
  url?: string | undefined;
  /** Names of the events that the endpoint gets, or `["*"]` for all of them. */
  events?: Array<'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | '*'> | undefined;
  /** Free text for people. */
  description?: string | null | undefined;
  /** A disabled endpoint gets nothing, and what was pending for it fails. */
  status?: 'enabled' | 'disabled' | undefined;
}

export interface RotatedSecret {
  /** The new secret; shown only here. */
  secret: string;
  /** Until then the old secret signs, too. */
  previous_expires_at: string;
}

export interface TestWebhookRequest {
  /** Name of the event to send; by default the first one that it subscribes to. */
  type?: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | undefined;
}

export interface WebhookDelivery {
  /** Id of the record. */
  id: string;
  /** Id of the webhook. */
  webhook_id: string;
  /** Id of the event; the same in every delivery of it. */
  event_id: string;
  /** Name of the event. */
  event_type: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed';
  /** State of the record. */
  status: 'pending' | 'delivered' | 'failed';
  /** The delivery that this one repeats; null for a first one. */
  replay_of: string | null;
  /** The attempts, oldest first. */
  attempts: Array<WebhookAttempt>;
  /** When the next attempt is due; null if there is none. */
  next_attempt_at: string | null;
  /** When it was created. */
  created_at: string;
}

export interface WebhookDeliveryPage {
  /** The records. */
  data: Array<WebhookDelivery>;
  /** `cursor` of the next page; left out on the last one. */
  next_cursor?: string | undefined;
}

export interface RecoverWebhookRequest {
  /** RFC 3339 time, at most 30 days ago. */
  since: string;
}

export interface WebhookRecovery {
  /** Id of the record. */
  id: string;
  /** State of the record. */
  status: 'running' | 'done';
  /** Deliveries that it makes. */
  total: number;
  /** Deliveries that were made so far. */
  done: number;
}

export interface Health {
  /** `ok`. */
  status: 'ok';
}

export interface Readiness {
  /** `unavailable` is a 503. */
  status: 'ready' | 'unavailable';
}

export interface TimelineHop {
  /** State that the message reached. */
  status: 'sent' | 'delivered' | 'verified' | 'expired' | 'failed' | 'blocked' | 'queued' | 'rejected' | 'cancelled';
  /** When it happened. */
  timestamp: string;
  /** Why the message failed, as a stable token. */
  reason?: string | undefined;
  /** Whether the credits were given back. */
  refunded?: boolean | undefined;
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider?: string | undefined;
}

export interface ProviderAttempt {
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider: string;
  /** When the attempt began. */
  attempted_at: string;
  /** Whether the provider accepted the message. */
  ok: boolean;
  /** Id that the provider gave the message. */
  provider_message_id?: string | undefined;
  /** Why the message failed, as a code; null unless it failed. */
  error_code?: string | undefined;
  /** Why the message failed, in words. */
  error_message?: string | undefined;
  /** Whether a receipt came after the message had failed. */
  late_delivery?: boolean | undefined;
}

export interface SmsBatchItem {
  /** Destination in E.164: a plus sign, then 8 to 15 digits. */
  to: string;
  /** Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end. */
  from?: string | undefined;
  /** The text. Give this or `template`. */
  body?: string | undefined;
  /** Slug or id of an SMS template. Give this or `body`. */
  template?: string | undefined;
  /** Placeholders of the text. */
  variables?: Record<string, string | number | boolean> | undefined;
  /** What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`. */
  category?: 'transactional' | 'promotional' | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
}

export interface BatchItemError {
  /** Kind of the error: match on it. */
  type: ErrorType;
  /** What went wrong, in words that may change. */
  message: string;
  /** Member of the request that is wrong. */
  field?: string | undefined;
  /** Seconds until the same request can succeed. */
  retry_after_seconds?: number | undefined;
}

export interface EmailBatchItem {
  /** One mailbox at a verified domain: `addr` or `Name <addr>`. */
  from: string;
  /** Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`. */
  to: Array<string> | string;
  /** The subject; it can be empty. */
  subject: string;
  /** The HTML part. Give this, `text` or both. */
  html?: string | undefined;
  /** The text part. Left out: derived from `html`; empty: none. */
  text?: string | undefined;
  /** Recipients of copies. */
  cc?: Array<string> | string | undefined;
  /** Recipients of blind copies. */
  bcc?: Array<string> | string | undefined;
  /** Where answers go. */
  reply_to?: Array<string> | string | undefined;
  /** Further headers. Those that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** Attached files. The finished message has at most 10 MiB. */
  attachments?: Array<SendEmailRequestAttachment> | undefined;
  /** Words to find the email by: letters, digits, - and _. */
  tags?: Array<string> | undefined;
  /** Marketing email carries one-click unsubscribe. */
  category?: 'transactional' | 'marketing' | undefined;
  /** Counts opens with a hidden image. */
  track_opens?: boolean | undefined;
  /** Counts clicks on links of the HTML. */
  track_clicks?: boolean | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
}

export interface ListedEmail {
  /** Id of the record. */
  id: string;
  /** Id of the workspace, in the words of variant B. */
  project_id: string;
  /** State of the record. */
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled';
  /** Mailbox of the sender. */
  from: string;
  /** Mailboxes of the recipients. */
  to: Array<string>;
  /** Recipients of copies. */
  cc: Array<string>;
  /** Recipients of blind copies. */
  bcc: Array<string>;
  /** Where answers go. */
  reply_to: Array<string>;
  /** The subject. */
  subject: string;
  /** Further headers of the email. */
  headers: Record<string, string>;
  /** Attached files, without their content. */
  attachments: Array<EmailAttachment>;
  /** Words to find the email by. */
  tags: Array<string>;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata: Record<string, unknown>;
  /** What the message is for. */
  category: 'transactional' | 'marketing';
  /** Whether opens are counted. */
  track_opens: boolean;
  /** Whether clicks are counted. */
  track_clicks: boolean;
  /** The recipients and their states. */
  recipients: Array<Recipient>;
  /** The `Message-ID` of every copy. */
  message_id: string;
  /** Price of the message at its acceptance. */
  cost: Cost;
  /** Recipients who opened the email. Machines do not count. */
  open_count: number;
  /** Recipients who clicked a link. Machines do not count. */
  click_count: number;
  /** States of the message, oldest first. */
  timeline: Array<Timeline>;
  /** Hand-overs to providers, oldest first. */
  provider_attempts: Array<EmailProviderAttempt>;
  /** Why the email failed; null unless it did. */
  error_code: string | null;
  /** Why the email failed, in words. */
  error_message: string | null;
  /** Whether it was made with a test key. */
  test_mode: boolean;
  /** When to send; null for at once. */
  send_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When a provider accepted the message; null until then. */
  sent_at: string | null;
  /** When the carrier reported the delivery; null until then. */
  delivered_at: string | null;
}

export interface DomainRecord {
  /** What the record is for. */
  purpose: 'DKIM' | 'SPF' | 'MX' | 'DMARC' | 'TRACKING';
  /** Type of the DNS record. */
  type: 'TXT' | 'MX' | 'CNAME';
  /** Name of the DNS record, in full. */
  name: string;
  /** Value of the record, ready to paste. */
  value: string;
  /** Priority of an MX record. */
  priority: number | null;
  /** Whether sending needs the record. */
  required: boolean;
  /** Whether DNS has the record. */
  status: 'pending' | 'verified' | 'failed';
  /** What disturbs, where the status is `failed`: another record, or a term that receivers refuse. */
  problem?: string | null | undefined;
}

export type Suppression = SmsSuppression | EmailAddressSuppression;

export interface QuoteOtp {
  /** What would be sent. */
  kind: 'otp';
  /** Destination in E.164. */
  phone_number: string;
  /** Digits of the code. */
  code_length?: number | undefined;
  /** Seconds that the code is good for. */
  ttl_seconds?: number | undefined;
  /** Language of the text. */
  language?: 'en' | 'fr' | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface QuoteTransactionalSms {
  /** What would be sent. */
  kind: 'sms';
  /** Destination in E.164. */
  phone_number: string;
  /** The text of the message. */
  message: string;
  /** The sender ID. */
  sender_id?: string | undefined;
  /** What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`. */
  category?: 'transactional' | 'promotional' | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface QuoteMessage {
  /** What would be sent. */
  kind: 'sms';
  /** Destination in E.164: a plus sign, then 8 to 15 digits. */
  to: string;
  /** Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end. */
  from: string;
  /** The text. Give this or `template`. */
  body?: string | undefined;
  /** Slug or id of an SMS template. Give this or `body`. */
  template?: string | undefined;
  /** Placeholders of the text. */
  variables?: Record<string, string | number | boolean> | undefined;
  /** What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`. */
  category?: 'transactional' | 'promotional' | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface QuoteEmail {
  /** What would be sent. */
  kind: 'email';
  /** One mailbox at a verified domain: `addr` or `Name <addr>`. */
  from: string;
  /** Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`. */
  to: Array<string> | string;
  /** The subject; it can be empty. */
  subject: string;
  /** The HTML part. Give this, `text` or both. */
  html?: string | undefined;
  /** The text part. Left out: derived from `html`; empty: none. */
  text?: string | undefined;
  /** Recipients of copies. */
  cc?: Array<string> | string | undefined;
  /** Recipients of blind copies. */
  bcc?: Array<string> | string | undefined;
  /** Where answers go. */
  reply_to?: Array<string> | string | undefined;
  /** Further headers. Those that the service writes itself are refused. */
  headers?: Record<string, string> | undefined;
  /** Attached files. The finished message has at most 10 MiB. */
  attachments?: Array<SendEmailRequestAttachment> | undefined;
  /** Words to find the email by: letters, digits, - and _. */
  tags?: Array<string> | undefined;
  /** Marketing email carries one-click unsubscribe. */
  category?: 'transactional' | 'marketing' | undefined;
  /** Counts opens with a hidden image. */
  track_opens?: boolean | undefined;
  /** Counts clicks on links of the HTML. */
  track_clicks?: boolean | undefined;
  /** When to send: RFC 3339 with an offset, at most 30 days ahead. */
  send_at?: string | undefined;
  /** The caller's own data. Numbers are doubles: put longer ones into a text. */
  metadata?: Record<string, unknown> | undefined;
  /** Id of a quote that fixes the price. */
  quote_id?: string | undefined;
}

export interface LedgerEntry {
  /** Id of the record. */
  id: string;
  /** What the entry is for. */
  kind: 'charge' | 'refund' | 'top_up';
  /** Kind of the top-up. */
  top_up_kind?: 'trial' | 'purchase' | 'bonus' | 'adjustment' | undefined;
  /** Number of credits. */
  credits: number;
  /** Credits of the workspace after the entry. */
  balance_after: number;
  /** Id of the message. */
  message_id?: string | undefined;
  /** Id of the payment. */
  payment_id?: string | undefined;
  /** Free text for people. */
  note?: string | undefined;
  /** When it was created. */
  created_at: string;
}

export interface EventOfVariantA {
  /** Name of the event. */
  event: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled';
  /** When it happened, in whole seconds. */
  timestamp: string;
  /** The record that the event is about. */
  data: Record<string, unknown>;
  /** Number of the event in the workspace, in the order of delivery. */
  sequence: number;
}

export interface EventOfVariantB {
  /** Id of the event; the same in every delivery. */
  id: string;
  /** Name of the event. */
  type: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed';
  /** When it happened. */
  created_at: string;
  /** The record that the event is about. */
  data: Record<string, unknown>;
  /** Number of the event in the workspace, in the order of delivery. */
  sequence: number;
}

export interface WebhookAttempt {
  /** When the attempt began. */
  attempted_at: string;
  /** HTTP status of the answer; null if there was none. */
  status_code: number | null;
  /** How long the receiver took, in milliseconds. */
  latency_ms: number;
  /** Start of what the receiver answered. */
  response_body: string | null;
  /** What went wrong. */
  error: string | null;
}

export interface SmsSuppression {
  /** The number, in E.164. */
  address: string;
  /** Channel of the message. */
  channel: 'sms';
  /** Where it comes from. */
  origin: 'opt_out';
  /** Messages that the entry stops. */
  scope: 'all';
  /** The sender ID that the number opted out of. */
  sender_id: string | null;
  /** When it was created. */
  created_at: string;
}

export interface Resend {
  /** The `message_id` of the charge in the ledger. */
  resend_id: string;
  /** When it was created. */
  created_at: string;
  /** Credits of the charge. */
  credits?: number | undefined;
  /** Why the message failed, as a stable token. */
  reason?: string | undefined;
}

export interface SmsDetailsProviderAttempt {
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider: string;
  /** When the attempt began. */
  attempted_at: string;
  /** Whether the provider accepted the message. */
  ok: boolean;
  /** Id that the provider gave the message. */
  provider_message_id: string | null;
  /** What went wrong, as a code of the provider. */
  error_code: string | null;
  /** What went wrong, in words. */
  error_message: string | null;
  /** Whether a receipt came after the message had failed. */
  late_delivery?: boolean | undefined;
}

export interface Cost {
  /** Price in kobo. */
  amount_kobo: number;
  /** ISO 4217 code of the currency. */
  currency: string;
}

export interface SmsBatchData {
  /** Place of the item in the request, from 0. */
  index: number;
  /** The accepted message. */
  sms?: SmsMessage | undefined;
  /** Why the item was refused; absent where it was accepted. */
  error?: BatchItemError | undefined;
}

export interface Review {
  /** ISO 3166-1 alpha-2 code of the country. */
  country: string;
  /** Decision for this country. */
  status: 'pending' | 'approved' | 'active' | 'suspended' | 'rejected';
  /** Why it was rejected; null unless it was. */
  rejection_reason: string | null;
  /** Whether the sender may write to numbers on the Do Not Disturb list. */
  dnd_whitelisted: boolean;
  /** When the country was decided; null until then. */
  reviewed_at: string | null;
}

export interface SendEmailRequestAttachment {
  /** Name of the file. Only the last segment of a path is kept. */
  filename: string;
  /** The file in padded base64. */
  content: string;
  /** Left out: derived from the name. */
  content_type?: string | undefined;
  /** Of an image that the HTML shows as `cid:<content_id>`. */
  content_id?: string | undefined;
}

export interface EmailBatchData {
  /** Place of the item in the request, from 0. */
  index: number;
  /** Email address. */
  email?: SentEmail | undefined;
  /** Why the item was refused; absent where it was accepted. */
  error?: BatchItemError | undefined;
}

export interface EmailAttachment {
  /** Name of the file. */
  filename: string;
  /** Media type of the file. */
  content_type: string;
  /** Name of an image that the HTML shows. */
  content_id: string | null;
  /** Size of the file. */
  size_bytes: number;
}

export interface Bounce {
  /** `permanent`: the address gets no further email. `transient`: it may. */
  type: 'permanent' | 'transient';
  /** Kind of the bounce. */
  sub_type: string;
  /** Status code of the receiving server; null without one. */
  code: string | null;
  /** What the receiving server said. */
  message: string | null;
}

export interface Recipient {
  /** The email address. */
  address: string;
  /** State of the copy for this recipient. */
  status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled';
  /** Why the email came back. */
  bounce?: Bounce | undefined;
}

export interface Timeline {
  /** State that the message reached. */
  status: string;
  /** When it happened. */
  timestamp: string;
  /** Address of the recipient. */
  recipient?: string | undefined;
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider?: string | undefined;
  /** Why the message failed, as a stable token. */
  reason?: string | undefined;
  /** Whether the credits were given back. */
  refunded?: boolean | undefined;
}

export interface EmailProviderAttempt {
  /** The provider that took the message; null until then. In test mode that of the last attempt. */
  provider: string;
  /** Address of the recipient. */
  recipient: string;
  /** When the attempt began. */
  attempted_at: string;
  /** Whether the provider accepted the message. */
  ok: boolean;
  /** Id that the provider gave the message. */
  provider_message_id: string | null;
  /** What went wrong, as a code of the provider. */
  error_code: string | null;
  /** What went wrong, in words. */
  error_message: string | null;
}

export interface CreditPrice {
  /** Price in the smallest unit of the currency. */
  amount: number;
  /** ISO 4217 code of the currency. */
  currency: string;
}

export interface Network {
  /** Name of the network. */
  name: string;
  /** Codes of the network. */
  mcc_mnc: Array<string>;
  /** Credits of a segment to this network. */
  credits: number;
}

export interface Country {
  /** ISO 3166-1 alpha-2 code of the destination. */
  country_code: string;
  /** Name of the country. */
  name: string;
  /** International prefix of the country. */
  dial_code: string;
  /** Credits of a segment where no network has a price of its own. */
  credits: number;
  /** Lowest price of a segment. */
  min_credits: number;
  /** Highest price of a segment. */
  max_credits: number;
  /** Whether the public price list shows the country. */
  listed: boolean;
  /** Networks with a price of their own. */
  networks: Array<Network>;
}

export interface Gate {
  /** The check. */
  gate: 'balance' | 'country' | 'prefix' | 'number_limit' | 'sender_id' | 'dnd' | 'content';
  /** What the check said. */
  verdict: 'pass' | 'refuse' | 'warn';
  /** Kind of the error that the send would get. */
  type?: ErrorType | undefined;
  /** Seconds until the same request can succeed. */
  retry_after_seconds?: number | undefined;
  /** What to know about the verdict. */
  message?: string | undefined;
}

/** Name of an event. */
export type EventType = 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed';
