import { toUSVString } from 'node:util';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import { asObject, parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import {
  ambiguous,
  type Answered,
  isSuccess,
  type Refusal,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import { withoutPlus } from '../number.policy.js';
import type { SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { isCarrierId, referenceQuery } from '../reference.policy.js';
import { statusOf } from './callback.js';
import { infobipFailure, infobipState, isKnownGroup, isRejected } from './status-map.js';

export interface InfobipSettings extends HttpAccount {
  apiKey: string;
  /** The URL that Infobip reports to. Null where a subscription at Infobip names it. */
  callbackUrl: string | null;
}

/** Bounds of the validity, in seconds. Infobip tries for 48 hours at most. */
const VALIDITY_SECONDS_MIN = 1;
const VALIDITY_SECONDS_MAX = 172_800;

/** Infobip's SMS API, version 3. The reference travels in `callbackData`. */
export class InfobipAdapter extends HttpProvider<InfobipSettings> {
  readonly carrier = 'infobip';
  /** The JSON of `webhooks` up to the reference. */
  private readonly webhooksStart: string;

  constructor(settings: InfobipSettings) {
    super(settings, '/sms/3/messages', {
      authorization: `App ${settings.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    const { callbackUrl } = settings;
    const url = callbackUrl === null ? '' : `"url":${JSON.stringify(callbackUrl)},`;
    this.webhooksStart =
      `"webhooks":{"delivery":{${url}"intermediateReport":true},` +
      `"contentType":"application/json","callbackData":`;
  }

  /**
   * Looks an attempt up in Infobip's log. The log can lag, so a missing entry says nothing. A
   * failure after the acceptance comes as a report.
   */
  async query(messageId: string, attempt: number): Promise<SubmitOutcome> {
    const exchange = await this.ask(`/sms/3/logs?messageId=${infobipIdOf(messageId, attempt)}`);
    if (exchange.kind !== 'answered') return ambiguous(exchange.code, 'The log did not answer.');
    const results = parseJsonObject(exchange.body)?.results;
    const entry = Array.isArray(results) ? asObject(results[0]) : null;
    const status = statusOf(entry?.status);
    const providerMessageId = entry?.messageId;
    if (!isSuccess(exchange.status) || status === null || !isCarrierId(providerMessageId)) {
      return ambiguous(`HTTP ${exchange.status}`, 'The log does not name the message.');
    }
    if (!isRejected(status)) return { outcome: 'accepted', providerMessageId };
    const { reason, rawCode } = infobipFailure(status, 0);
    return { outcome: 'refused', reason, rawCode, rawMessage: null };
  }

  /** Infobip chooses the encoding itself, and must not transliterate the text. */
  protected bodyOf(request: SubmitRequest): string {
    const text = JSON.stringify(toUSVString(request.body));
    const sender = request.senderId ?? this.defaultSenderId;
    const validity = Math.floor(request.validitySeconds);
    const seconds = Math.max(VALIDITY_SECONDS_MIN, Math.min(validity, VALIDITY_SECONDS_MAX));
    return (
      `{"messages":[{"sender":${JSON.stringify(withoutPlus(sender))},` +
      `"destinations":[{"to":"${withoutPlus(request.destination)}",` +
      `"messageId":"${infobipIdOf(request.messageId, request.attempt)}"}],` +
      `"content":{"text":${text},"transliteration":"NONE"},` +
      `"options":{"validityPeriod":{"amount":${seconds},"timeUnit":"SECONDS"}},` +
      `${this.webhooksStart}${JSON.stringify(referenceQuery(request))}}}]}`
    );
  }

  /** A rejection may come with HTTP 200, in the status of the message. */
  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const fields = parseJsonObject(answer.body);
    if (!isSuccess(answer.status)) return this.requestRefusal(answer, fields, request);
    const messages = Array.isArray(fields?.messages) ? fields.messages : [];
    const message = asObject(messages[0]);
    const status = statusOf(message?.status);
    if (message === null || status === null || !isKnownGroup(status.group)) {
      return unreadableAcceptance(answer.status);
    }
    if (infobipState(status) === 'failed') {
      const { reason, rawCode } = infobipFailure(status, 0);
      const text = this.safe(asObject(message.status)?.description, request);
      return refusalOf(answer, reason, { code: rawCode, message: text }, this.clock.now());
    }
    const { messageId } = message;
    if (!isCarrierId(messageId)) return unreadableAcceptance(answer.status);
    return { outcome: 'accepted', providerMessageId: messageId };
  }

  /** Returns the refusal of a request as a whole. The gateway before the API has its own shape. */
  private requestRefusal(
    answer: Answered,
    fields: JsonObject | null,
    request: SubmitRequest,
  ): Refusal {
    const exception = asObject(asObject(fields?.requestError)?.serviceException);
    const code = rawCodeOf(fields?.errorCode) ?? rawCodeOf(exception?.messageId);
    const message = this.safe(fields?.description ?? exception?.text, request);
    return refusalOf(answer, null, { code, message }, this.clock.now());
  }

  private safe(text: unknown, { body }: SubmitRequest): string | null {
    return safeRawMessage(text, [body, this.settings.apiKey]);
  }
}

/** Returns our own id of an attempt. It finds the attempt in Infobip's log. */
function infobipIdOf(messageId: string, attempt: number): string {
  return `${messageId}-${attempt}`;
}
