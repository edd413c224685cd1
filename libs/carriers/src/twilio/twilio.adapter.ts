import { toUSVString } from 'node:util';
import { systemClock } from '@watchword/contracts';
import type { Clock } from '@watchword/contracts';
import type { Capacity } from '../capacity/capacity.js';
import { CarrierHttpClient } from '../http/carrier-http.client.js';
import type { ExchangeResult } from '../http/exchange.js';
import { parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import {
  isSuccess,
  outcomeWithoutAnswer,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import type { Answered, SubmitDeadlines } from '../http/outcome.policy.js';
import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import type { Provider, SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { referenceQuery } from '../reference.policy.js';
import { isMessageSid } from './callback.js';
import { twilioReason, twilioState } from './status-map.js';

export interface TwilioSettings {
  /** Id of the account. */
  id: string;
  capacity: Capacity;
  accountSid: string;
  authToken: string;
  /** `https://api.twilio.com`; may have a path. */
  baseUrl: string;
  /** Sender of messages that name none. */
  defaultSenderId: string;
  /** Where Twilio reports to, without a query. */
  callbackUrl: string;
  deadlines: SubmitDeadlines;
  clock?: Clock | undefined;
}

/** Bounds of Twilio's `ValidityPeriod`. */
const VALIDITY_SECONDS_MIN = 1;
const VALIDITY_SECONDS_MAX = 36_000;

/** Programmable Messaging, version 2010-04-01. */
export class TwilioAdapter implements Provider {
  readonly name: string;
  readonly carrier = 'twilio';
  readonly dndCapable = false;
  readonly capacity: Capacity;
  private readonly http: CarrierHttpClient;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  /** `StatusCallback` up to the reference, already encoded for the form. */
  private readonly statusCallback: string;
  private readonly clock: Clock;

  constructor(private readonly settings: TwilioSettings) {
    const { accountSid, authToken, baseUrl } = settings;
    this.name = settings.id;
    this.capacity = settings.capacity;
    this.http = new CarrierHttpClient(baseUrl, settings.capacity.concurrency);
    this.path = this.http.pathOf(`/2010-04-01/Accounts/${accountSid}/Messages.json`);
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    this.headers = {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    };
    this.statusCallback = encodeURIComponent(`${settings.callbackUrl}?`);
    this.clock = settings.clock ?? systemClock;
  }

  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    const deadlineMs = this.settings.deadlines[request.kind];
    const options = { deadlineMs, traceparent: request.traceparent };
    const exchange = await this.http.post(this.path, this.headers, this.formOf(request), options);
    return this.outcomeOf(exchange, request);
  }

  async start(): Promise<void> {}

  ready(): boolean {
    return this.http.isOpen;
  }

  stop(): Promise<void> {
    return this.http.close();
  }

  /** Twilio chooses the encoding itself. Half a surrogate pair cannot be put into a form. */
  private formOf(request: SubmitRequest): string {
    const validity = Math.floor(request.validitySeconds);
    const validitySeconds = Math.max(
      VALIDITY_SECONDS_MIN,
      Math.min(validity, VALIDITY_SECONDS_MAX),
    );
    return (
      `To=${encodeURIComponent(request.destination)}` +
      `&From=${encodeURIComponent(request.senderId ?? this.settings.defaultSenderId)}` +
      `&Body=${encodeURIComponent(toUSVString(request.body))}` +
      `&StatusCallback=${this.statusCallback}${encodeURIComponent(referenceQuery(request))}` +
      `&ValidityPeriod=${validitySeconds}`
    );
  }

  private outcomeOf(exchange: ExchangeResult, request: SubmitRequest): SubmitOutcome {
    if (exchange.kind !== 'answered') return outcomeWithoutAnswer(exchange);
    const fields = parseJsonObject(exchange.body);
    if (!isSuccess(exchange.status)) return this.refusal(exchange, fields, request);
    if (fields === null || !isMessageSid(fields.sid)) return unreadableAcceptance(exchange.status);
    // A message that is already dead in the answer will never have a receipt.
    if (typeof fields.status === 'string' && twilioState(fields.status) === 'failed') {
      const { error_code: code, error_message: message } = fields;
      return this.refusal(exchange, { code, message }, request);
    }
    return { outcome: 'accepted', providerMessageId: fields.sid };
  }

  private refusal(
    answer: Answered,
    fields: JsonObject | null,
    request: SubmitRequest,
  ): SubmitOutcome {
    const code = rawCodeOf(fields?.code);
    const message = safeRawMessage(fields?.message, [request.body, this.settings.authToken]);
    return refusalOf(answer, twilioReason(code), { code, message }, this.clock.now());
  }
}
