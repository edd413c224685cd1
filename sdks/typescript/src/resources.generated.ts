// Written by `npm run docs` from the OpenAPI document. Do not edit.
import type { SendOtpRequest, SentOtp, VerifyOtpRequest, OtpVerification, Otp, ResentOtp, SendTransactionalSmsRequest, SentSms, SmsDetails, SendMessageRequest, SmsMessage, SendMessageBatchRequest, SmsBatch, RequestSenderIdRequest, RegisteredSenderId, SenderIdList, UpdateSenderIdRequest, CreateSmsTemplateRequest, SmsTemplate, UpdateSmsTemplateRequest, RenderSmsTemplateRequest, RenderedSmsTemplate, SendEmailRequest, SentEmail, SendEmailBatchRequest, EmailBatch, Email, CreateDomainRequest, Domain, CreateSuppressionRequest, EmailAddressSuppression, PublicPriceList, AccountBalance, CreateQuoteRequest, Quote, CreateWebhookRequest, CreatedWebhook, Webhook, UpdateWebhookRequest, RotatedSecret, TestWebhookRequest, WebhookDelivery, RecoverWebhookRequest, WebhookRecovery, Health, Readiness, ListedEmail, Suppression, LedgerEntry, EventOfVariantA, EventOfVariantB } from './models.generated.js';
import { Pages } from './pages.js';
import { type RequestOptions, Transport } from './transport.js';

export interface OtpListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Destination in E.164. */
  to?: string | undefined;
  /** ISO 3166-1 alpha-2 code of the country. */
  country?: string | undefined;
  /** Whether it was made with a test key. */
  test_mode?: boolean | undefined;
  /** Only what was created after this time. */
  created_after?: string | undefined;
  /** Only what was created before this time. */
  created_before?: string | undefined;
  /** State of the record. */
  status?: 'pending' | 'sent' | 'delivered' | 'verified' | 'expired' | 'failed' | 'blocked' | 'scheduled' | 'queued' | 'rejected' | 'cancelled' | undefined;
}

export interface MessagesListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Destination in E.164. */
  to?: string | undefined;
  /** ISO 3166-1 alpha-2 code of the country. */
  country?: string | undefined;
  /** Whether it was made with a test key. */
  test_mode?: boolean | undefined;
  /** Only what was created after this time. */
  created_after?: string | undefined;
  /** Only what was created before this time. */
  created_before?: string | undefined;
  /** Sender ID. */
  from?: string | undefined;
  /** State of the record. */
  status?: 'pending' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'scheduled' | 'queued' | 'rejected' | 'cancelled' | undefined;
}

export interface EmailsListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** State of the record. */
  status?: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled' | undefined;
  /** Only emails to this address, copies included. Letter case does not matter. */
  to?: string | undefined;
  /** Only emails from this address, without its name. */
  from?: string | undefined;
  /** Only emails with this tag. */
  tag?: string | undefined;
  /** Whether it was made with a test key. */
  test_mode?: boolean | undefined;
  /** Only what was created after this time. */
  created_after?: string | undefined;
  /** Only what was created before this time. */
  created_before?: string | undefined;
}

export interface TemplatesListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
}

export interface DomainsListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
}

export interface SuppressionsListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Channel of the suppression. */
  channel?: 'sms' | 'email' | undefined;
}

export interface SuppressionsDeleteQuery {
  /** Channel of the suppression. */
  channel?: 'sms' | 'email' | undefined;
  /** The sender ID. */
  sender_id?: string | undefined;
}

export interface LedgerListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Kind of the record. */
  kind?: 'charge' | 'refund' | 'top_up' | undefined;
}

export interface EventsListQuery {
  /** Only events after the one with this number. */
  after?: number | undefined;
  /** Records of a page. */
  limit?: number | undefined;
  /** Name of an event. */
  type?: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | undefined;
}

export interface WebhooksListQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
}

export interface WebhooksListDeliveriesQuery {
  /** Records of a page. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** `pending` includes waiting for a retry. */
  status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Name of an event. */
  event_type?: 'otp.sent' | 'otp.failed' | 'sms.delivered' | 'sms.failed' | 'sms.blocked' | 'credit_balance.topped_up' | 'otp.delivered' | 'otp.verified' | 'otp.expired' | 'sms.sent' | 'sms.cancelled' | 'credit_balance.low' | 'credit_balance.top_up_failed' | 'sender_id.approved' | 'sender_id.rejected' | 'domain.verified' | 'domain.failed' | 'prefix.throttled' | 'prefix.blocked' | 'webhook.disabled' | 'sms.queued' | 'sms.rejected' | 'email.queued' | 'email.sent' | 'email.delivered' | 'email.delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' | 'email.failed' | 'email.cancelled' | 'email.unsubscribed' | undefined;
  /** RFC 3339 time, exclusive. */
  created_after?: string | undefined;
}

export class OtpResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Send a one-time password. Generates a code, charges its credits and queues it for the best provider. */
  send(body: SendOtpRequest, options: RequestOptions = {}): Promise<SentOtp> {
    return this.#transport.send({ method: 'POST', path: '/v1/otp/send', body, number: { field: 'phone_number', type: 'validation_error' } }, options);
  }

  /** Verify a code. A wrong code with attempts left is an answer, not an error: `valid` is false. */
  verify(body: VerifyOtpRequest, options: RequestOptions = {}): Promise<OtpVerification> {
    return this.#transport.send({ method: 'POST', path: '/v1/otp/verify', body }, options);
  }

  /** Resend a one-time password. Sends the same code with the same expiry again. A resend is charged. */
  resend(id: string, options: RequestOptions = {}): Promise<ResentOtp> {
    return this.#transport.send({ method: 'POST', path: `/v1/otp/${Transport.segment('id', id)}/resend`, body: {} }, options);
  }

  /** Cancel a one-time password. The code stops verifying. Credits go back if no provider accepted the message. */
  cancel(id: string, options: RequestOptions = {}): Promise<Otp> {
    return this.#transport.send({ method: 'POST', path: `/v1/otp/${Transport.segment('id', id)}/cancel`, body: {} }, options);
  }

  /** Retrieve a one-time password. Its state, its timeline and its cost. The code is never shown. */
  get(id: string, options: RequestOptions = {}): Promise<Otp> {
    return this.#transport.send({ method: 'GET', path: `/v1/otp/${Transport.segment('id', id)}` }, options);
  }

  /** List one-time passwords. Newest first, in the mode of the key. */
  list(query: OtpListQuery = {}, options: RequestOptions = {}): Pages<Otp> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/otp', query: { ...query } }, 'cursor', options);
  }
}

export class SmsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Send a transactional SMS. Variant A. The text is rewritten, measured, charged and queued. */
  send(body: SendTransactionalSmsRequest, options: RequestOptions = {}): Promise<SentSms> {
    return this.#transport.send({ method: 'POST', path: '/v1/sms/send', body, number: { field: 'phone_number', type: 'phone_invalid' } }, options);
  }
}

export class MessagesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Send an SMS message. Give `body`, or `template` with `variables`. With `send_at` the message is charged now and sent then. The outcome comes by webhook, or from `GET /v1/sms/{id}`. */
  send(body: SendMessageRequest, options: RequestOptions = {}): Promise<SmsMessage> {
    return this.#transport.send({ method: 'POST', path: '/v1/sms', body, number: { field: 'to', type: 'phone_invalid' } }, options);
  }

  /** Send a batch of SMS messages. Up to 1000 messages, accepted in order in one transaction. Each item has an outcome of its own; one `Idempotency-Key` replays the whole answer. */
  sendBatch(body: SendMessageBatchRequest, options: RequestOptions = {}): Promise<SmsBatch> {
    return this.#transport.send({ method: 'POST', path: '/v1/sms/batch', body }, options);
  }

  /** Cancel an SMS message. Possible until the message is handed to a carrier; refunded in full. Later: 409. */
  cancel(id: string, options: RequestOptions = {}): Promise<SmsMessage> {
    return this.#transport.send({ method: 'POST', path: `/v1/sms/${Transport.segment('id', id)}/cancel`, body: {} }, options);
  }

  /** Retrieve an SMS message. One record for both variants: the names of variant A, then those of variant B. */
  get(id: string, options: RequestOptions = {}): Promise<SmsDetails> {
    return this.#transport.send({ method: 'GET', path: `/v1/sms/${Transport.segment('id', id)}` }, options);
  }

  /** List SMS messages. Newest first, in the mode of the key, of both variants. */
  list(query: MessagesListQuery = {}, options: RequestOptions = {}): Pages<SmsDetails> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/sms', query: { ...query } }, 'cursor', options);
  }
}

export class EmailsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Send an email. One credit for each recipient. With `send_at` the email is charged now and sent then. The outcome comes by webhook, or from `GET /v1/emails/{id}`. */
  send(body: SendEmailRequest, options: RequestOptions = {}): Promise<SentEmail> {
    return this.#transport.send({ method: 'POST', path: '/v1/emails', body }, options);
  }

  /** Send a batch of emails. Up to 100 emails, accepted in order in one transaction. Each item has an outcome of its own; one `Idempotency-Key` replays the whole answer. */
  sendBatch(body: SendEmailBatchRequest, options: RequestOptions = {}): Promise<EmailBatch> {
    return this.#transport.send({ method: 'POST', path: '/v1/emails/batch', body }, options);
  }

  /** Cancel an email. Possible until the first copy is handed over; refunded in full. Later: 409. Answers the record of `GET /v1/emails/{id}`. */
  cancel(id: string, options: RequestOptions = {}): Promise<Email> {
    return this.#transport.send({ method: 'POST', path: `/v1/emails/${Transport.segment('id', id)}/cancel`, body: {} }, options);
  }

  /** Retrieve an email. Retrieve an email. */
  get(id: string, options: RequestOptions = {}): Promise<Email> {
    return this.#transport.send({ method: 'GET', path: `/v1/emails/${Transport.segment('id', id)}` }, options);
  }

  /** List emails. Newest first, without `html` and `text`. */
  list(query: EmailsListQuery = {}, options: RequestOptions = {}): Pages<ListedEmail> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/emails', query: { ...query } }, 'cursor', options);
  }
}

export class TemplatesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create an SMS template. Placeholders are written `{{name}}`; `variables` lists them. */
  create(body: CreateSmsTemplateRequest, options: RequestOptions = {}): Promise<SmsTemplate> {
    return this.#transport.send({ method: 'POST', path: '/v1/sms-templates', body }, options);
  }

  /** Retrieve an SMS template. Retrieve an SMS template. */
  get(id: string, options: RequestOptions = {}): Promise<SmsTemplate> {
    return this.#transport.send({ method: 'GET', path: `/v1/sms-templates/${Transport.segment('id', id)}` }, options);
  }

  /** List SMS templates. List SMS templates. */
  list(query: TemplatesListQuery = {}, options: RequestOptions = {}): Pages<SmsTemplate> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/sms-templates', query: { ...query } }, 'cursor', options);
  }

  /** Update an SMS template. Raises `version`. Messages that were accepted before keep their text. */
  update(id: string, body: UpdateSmsTemplateRequest = {}, options: RequestOptions = {}): Promise<SmsTemplate> {
    return this.#transport.send({ method: 'PATCH', path: `/v1/sms-templates/${Transport.segment('id', id)}`, body }, options);
  }

  /** Delete an SMS template. Delete an SMS template. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: `/v1/sms-templates/${Transport.segment('id', id)}` }, options);
  }

  /** Render an SMS template. Shows the text as a send would measure it. Missing variables stay standing. */
  render(id: string, body: RenderSmsTemplateRequest = {}, options: RequestOptions = {}): Promise<RenderedSmsTemplate> {
    return this.#transport.send({ method: 'POST', path: `/v1/sms-templates/${Transport.segment('id', id)}/render`, body }, options);
  }
}

export class SenderIdsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Request a sender ID. Open to workspaces that bought 10,000 credits. Each country decides by itself. */
  request(body: RequestSenderIdRequest, options: RequestOptions = {}): Promise<RegisteredSenderId> {
    return this.#transport.send({ method: 'POST', path: '/v1/sender-ids', body }, options);
  }

  /** List sender IDs. All of the workspace, newest first. */
  list(options: RequestOptions = {}): Promise<SenderIdList> {
    return this.#transport.send({ method: 'GET', path: '/v1/sender-ids' }, options);
  }

  /** Update a sender ID. Only while it is pending; a country that is decided stays. */
  update(id: string, body: UpdateSenderIdRequest = {}, options: RequestOptions = {}): Promise<RegisteredSenderId> {
    return this.#transport.send({ method: 'PATCH', path: `/v1/sender-ids/${Transport.segment('id', id)}`, body }, options);
  }
}

export class DomainsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create a domain. Makes a DKIM key and shows the DNS records to publish. Only the DKIM record is required. */
  create(body: CreateDomainRequest, options: RequestOptions = {}): Promise<Domain> {
    return this.#transport.send({ method: 'POST', path: '/v1/domains', body }, options);
  }

  /** Retrieve a domain. Retrieve a domain. */
  get(id: string, options: RequestOptions = {}): Promise<Domain> {
    return this.#transport.send({ method: 'GET', path: `/v1/domains/${Transport.segment('id', id)}` }, options);
  }

  /** List domains. List domains. */
  list(query: DomainsListQuery = {}, options: RequestOptions = {}): Pages<Domain> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/domains', query: { ...query } }, 'cursor', options);
  }

  /** Delete a domain. Emails from it that are not handed over yet fail with `domain_unverified`. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: `/v1/domains/${Transport.segment('id', id)}` }, options);
  }

  /** Verify a domain. Looks up the records within 5 seconds. `status` shows the result. */
  verify(id: string, options: RequestOptions = {}): Promise<Domain> {
    return this.#transport.send({ method: 'POST', path: `/v1/domains/${Transport.segment('id', id)}/verify`, body: {} }, options);
  }
}

export class SuppressionsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Suppress an email address. Answers 200 where the address is suppressed already. */
  create(body: CreateSuppressionRequest, options: RequestOptions = {}): Promise<EmailAddressSuppression> {
    return this.#transport.send({ method: 'POST', path: '/v1/suppressions', body }, options);
  }

  /** List suppressions. Numbers that replied STOP, and email addresses that are not sent to, newest first. */
  list(query: SuppressionsListQuery = {}, options: RequestOptions = {}): Pages<Suppression> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/suppressions', query: { ...query } }, 'cursor', options);
  }

  /** Delete a suppression. All suppressions of the address, or with `sender_id` those of one sender ID. A complaint stays (409): only an operator deletes it. */
  delete(address: string, query: SuppressionsDeleteQuery = {}, options: RequestOptions = {}): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: `/v1/suppressions/${Transport.segment('address', address)}`, query: { ...query } }, options);
  }
}

export class QuotesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create a quote. Counts and charges nothing; `quote_id` fixes the price of one send for a minute. A gate that refuses without a `type` is that of anti-spam: such a send is accepted, blocked and refunded. */
  create(body: CreateQuoteRequest, options: RequestOptions = {}): Promise<Quote> {
    return this.#transport.send({ method: 'POST', path: '/v1/quote', body }, options);
  }
}

export class PricesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Retrieve the price list. Credits per segment for every country and network, cheapest first. */
  list(options: RequestOptions = {}): Promise<PublicPriceList> {
    return this.#transport.send({ method: 'GET', path: '/v1/pricing' }, options);
  }
}

export class BalanceResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Retrieve the balance. One wallet for both modes of a workspace. */
  get(options: RequestOptions = {}): Promise<AccountBalance> {
    return this.#transport.send({ method: 'GET', path: '/v1/balance' }, options);
  }
}

export class LedgerResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List ledger entries. Newest first. `Accept: text/csv` streams the whole ledger from `cursor` on. */
  list(query: LedgerListQuery = {}, options: RequestOptions = {}): Pages<LedgerEntry> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/ledger', query: { ...query } }, 'cursor', options);
  }
}

export class EventsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List events. Oldest first, in the envelope of the webhook deliveries, for 30 days. */
  list(query: EventsListQuery = {}, options: RequestOptions = {}): Pages<EventOfVariantA | EventOfVariantB> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/events', query: { ...query } }, 'after', options);
  }
}

export class WebhooksResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create a webhook. At most 20. `secret` is shown only here; a retry with the same `Idempotency-Key` shows it again. */
  create(body: CreateWebhookRequest, options: RequestOptions = {}): Promise<CreatedWebhook> {
    return this.#transport.send({ method: 'POST', path: '/v1/webhooks', body }, options);
  }

  /** Retrieve a webhook. Without its secret. `disabled_reason` says why it is disabled. */
  get(id: string, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.send({ method: 'GET', path: `/v1/webhooks/${Transport.segment('id', id)}` }, options);
  }

  /** List webhooks. Newest first, without secrets. */
  list(query: WebhooksListQuery = {}, options: RequestOptions = {}): Pages<Webhook> {
    return new Pages(this.#transport, { method: 'GET', path: '/v1/webhooks', query: { ...query } }, 'cursor', options);
  }

  /** Update a webhook. Disabling it fails what is pending. Enabling it starts anew. */
  update(id: string, body: UpdateWebhookRequest = {}, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.send({ method: 'PATCH', path: `/v1/webhooks/${Transport.segment('id', id)}`, body }, options);
  }

  /** Delete a webhook. What is pending for it is not delivered. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: `/v1/webhooks/${Transport.segment('id', id)}` }, options);
  }

  /** Rotate the secret of a webhook. The old and the new secret both sign for 24 hours. */
  rotateSecret(id: string, options: RequestOptions = {}): Promise<RotatedSecret> {
    return this.#transport.send({ method: 'POST', path: `/v1/webhooks/${Transport.segment('id', id)}/rotate-secret`, body: {} }, options);
  }

  /** Send a test event. Posts a sample once, without retry, also to a disabled webhook. Its `sequence` is 0. */
  test(id: string, body: TestWebhookRequest = {}, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.send({ method: 'POST', path: `/v1/webhooks/${Transport.segment('id', id)}/test`, body }, options);
  }

  /** List webhook deliveries. Newest first, each with its attempts. */
  listDeliveries(id: string, query: WebhooksListDeliveriesQuery = {}, options: RequestOptions = {}): Pages<WebhookDelivery> {
    return new Pages(this.#transport, { method: 'GET', path: `/v1/webhooks/${Transport.segment('id', id)}/deliveries`, query: { ...query } }, 'cursor', options);
  }

  /** Replay a webhook delivery. Makes a new delivery with the same event id and the same bytes. */
  replayDelivery(id: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.send({ method: 'POST', path: `/v1/webhook-deliveries/${Transport.segment('id', id)}/replay`, body: {} }, options);
  }

  /** Recover missed events. Delivers what failed since a time, and what was missed while the webhook was disabled: at most 100 events a second, with the same ids and bytes. `since` is at most 30 days ago: replace the time of the example. */
  recover(id: string, body: RecoverWebhookRequest, options: RequestOptions = {}): Promise<WebhookRecovery> {
    return this.#transport.send({ method: 'POST', path: `/v1/webhooks/${Transport.segment('id', id)}/recover`, body }, options);
  }

  /** Retrieve a recovery. How many deliveries it makes, and how many it has made. */
  getRecovery(id: string, recoveryId: string, options: RequestOptions = {}): Promise<WebhookRecovery> {
    return this.#transport.send({ method: 'GET', path: `/v1/webhooks/${Transport.segment('id', id)}/recover/${Transport.segment('recovery_id', recoveryId)}` }, options);
  }
}

export class SystemResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Check that the process is alive. Asks no dependency. */
  health(options: RequestOptions = {}): Promise<Health> {
    return this.#transport.send({ method: 'GET', path: '/health' }, options);
  }

  /** Check that the process can work. Answers 503 while the database is unavailable. Each gateway counts the calls of an address against `ip_unauthenticated_per_minute`. */
  readiness(options: RequestOptions = {}): Promise<Readiness> {
    return this.#transport.send({ method: 'GET', path: '/ready' }, options);
  }
}
