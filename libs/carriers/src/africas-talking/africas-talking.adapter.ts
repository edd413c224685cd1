import { toUSVString } from 'node:util';
import { systemClock } from '@watchword/contracts';
import type { Clock } from '@watchword/contracts';
import type { Capacity } from '../capacity/capacity.js';
import { CarrierHttpClient } from '../http/carrier-http.client.js';
import type { ExchangeResult } from '../http/exchange.js';
import { asObject, parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import {
  isSuccess,
  outcomeWithoutAnswer,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import type { SubmitDeadlines } from '../http/outcome.policy.js';
import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import type { Provider, SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { isAcceptedCode, refusalReason, refusalReasonOfName } from './status-map.js';

export interface AfricasTalkingSettings {
  /** Id of the account. */
  id: string;
  capacity: Capacity;
  username: string;
  apiKey: string;
  /** `https://api.africastalking.com`; may have a path. */
  baseUrl: string;
  /** Sender of messages that name none. */
  defaultSenderId: string;
  deadlines: SubmitDeadlines;
  clock?: Clock | undefined;
}

/** Bulk SMS over JSON. The callback URL is set per account, at the carrier. */
export class AfricasTalkingAdapter implements Provider {
  readonly name: string;
  readonly carrier = 'africas_talking';
  readonly dndCapable = false;
  readonly capacity: Capacity;
  private readonly http: CarrierHttpClient;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  /** The JSON body up to the message text. */
  private readonly bodyStart: string;
  private readonly clock: Clock;

  constructor(private readonly settings: AfricasTalkingSettings) {
    this.name = settings.id;
    this.capacity = settings.capacity;
    this.http = new CarrierHttpClient(settings.baseUrl, settings.capacity.concurrency);
    this.path = this.http.pathOf('/version1/messaging/bulk');
    this.headers = {
      apiKey: settings.apiKey,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    this.bodyStart = `{"username":${JSON.stringify(settings.username)},"message":`;
    this.clock = settings.clock ?? systemClock;
  }

  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    const deadlineMs = this.settings.deadlines[request.kind];
    const options = { deadlineMs, traceparent: request.traceparent };
    const exchange = await this.http.post(this.path, this.headers, this.jsonOf(request), options);
    return this.outcomeOf(exchange, request);
  }

  async start(): Promise<void> {}

  ready(): boolean {
    return this.http.isOpen;
  }

  stop(): Promise<void> {
    return this.http.close();
  }

  private jsonOf({ body, senderId, destination }: SubmitRequest): string {
    return (
      `${this.bodyStart}${JSON.stringify(toUSVString(body))},` +
      `"senderId":${JSON.stringify(senderId ?? this.settings.defaultSenderId)},` +
      `"phoneNumbers":[${JSON.stringify(destination)}]}`
    );
  }

  private outcomeOf(exchange: ExchangeResult, request: SubmitRequest): SubmitOutcome {
    if (exchange.kind !== 'answered') return outcomeWithoutAnswer(exchange);
    const data = asObject(parseJsonObject(exchange.body)?.SMSMessageData);
    const outcome = data === null ? null : this.recipientOutcome(data, request);
    // One refusal, of a number that does not want to be disturbed, also comes with HTTP 409.
    if (outcome !== null && exchange.status < 500) return outcome;
    if (isSuccess(exchange.status)) return unreadableAcceptance(exchange.status);
    return refusalOf(exchange, null, { code: null, message: null }, this.clock.now());
  }

  /** Null when the answer does not say what became of the one recipient. */
  private recipientOutcome(data: JsonObject, request: SubmitRequest): SubmitOutcome | null {
    const recipients = Array.isArray(data.Recipients) ? data.Recipients : [];
    const recipient = asObject(recipients[0]);
    if (recipient === null) return this.outcomeWithoutRecipients(data.Message);
    const { statusCode, status, messageId } = recipient;
    if (typeof statusCode !== 'number') return null;
    if (isAcceptedCode(statusCode)) {
      return isMessageId(messageId) ? { outcome: 'accepted', providerMessageId: messageId } : null;
    }
    // An unknown code of the accepting hundred would rather mean taken than refused.
    if (statusCode < 400) return null;
    return {
      outcome: 'refused',
      reason: refusalReason(statusCode) ?? 'unknown_error',
      rawCode: String(statusCode),
      rawMessage: safeRawMessage(status, [request.body, this.settings.apiKey]),
    };
  }

  /** A sender that is not the account's is refused without a word on the recipients. */
  private outcomeWithoutRecipients(message: unknown): SubmitOutcome | null {
    const reason = typeof message === 'string' ? refusalReasonOfName(message) : null;
    if (reason === null) return null;
    return { outcome: 'refused', reason, rawCode: rawCodeOf(message), rawMessage: null };
  }
}

function isMessageId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== 'None';
}
