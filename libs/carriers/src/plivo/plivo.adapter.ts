import { toUSVString } from 'node:util';
import { basicCredentials } from '../http/basic-credentials.js';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import { type JsonObject, parseJsonObject } from '../http/json-object.js';
import {
  type Answered,
  isSuccess,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import { safeRawMessage } from '../http/raw-message.policy.js';
import { withoutPlus } from '../number.policy.js';
import type { SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { isCarrierId, referenceQuery } from '../reference.policy.js';
import { plivoRefusal } from './status-map.js';

export interface PlivoSettings extends HttpAccount {
  authId: string;
  authToken: string;
  /** The URL that Plivo reports to, without a query. */
  callbackUrl: string;
}

/** Bounds of Plivo's `message_expiry`, in seconds. */
const EXPIRY_SECONDS_MIN = 5;
const EXPIRY_SECONDS_MAX = 10_799;

/** Plivo's Message API, version 1. */
export class PlivoAdapter extends HttpProvider<PlivoSettings> {
  readonly carrier = 'plivo';

  constructor(settings: PlivoSettings) {
    const { authId, authToken } = settings;
    super(settings, `/v1/Account/${authId}/Message/`, {
      authorization: basicCredentials(authId, authToken),
      'content-type': 'application/json',
      accept: 'application/json',
    });
  }

  /** Returns the JSON body. With `log: false` Plivo stores no one-time password. */
  protected bodyOf(request: SubmitRequest): string {
    const { destination, senderId, body, kind, validitySeconds } = request;
    const expiry = Math.floor(validitySeconds);
    return JSON.stringify({
      src: withoutPlus(senderId ?? this.defaultSenderId),
      dst: withoutPlus(destination),
      text: toUSVString(body),
      url: `${this.settings.callbackUrl}?${referenceQuery(request)}`,
      method: 'POST',
      log: kind !== 'otp',
      message_expiry: Math.max(EXPIRY_SECONDS_MIN, Math.min(expiry, EXPIRY_SECONDS_MAX)),
    });
  }

  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const fields = parseJsonObject(answer.body);
    if (!isSuccess(answer.status)) return this.refusal(answer, fields, request);
    const [uuid] = listOf(fields?.message_uuid);
    if (isCarrierId(uuid)) return { outcome: 'accepted', providerMessageId: uuid };
    // With 207, numbers are refused one by one. Ours is the only one.
    if (listOf(fields?.invalid_number).length === 0) return unreadableAcceptance(answer.status);
    const raw = { code: 'invalid_number', message: null };
    return refusalOf(answer, 'invalid_number', raw, this.clock.now());
  }

  /** Returns a refusal. A status says more only with Plivo's own error; a proxy answers too. */
  private refusal(
    answer: Answered,
    fields: JsonObject | null,
    request: SubmitRequest,
  ): SubmitOutcome {
    const error = fields?.error ?? null;
    const text = typeof error === 'string' ? error : JSON.stringify(error);
    const reason = error === null ? null : plivoRefusal(answer.status, text);
    const { body } = request;
    // An error that is an object is shown as JSON, which escapes line ends and quotes.
    const hidden = [body, JSON.stringify(body).slice(1, -1), this.settings.authToken];
    const message = error === null ? null : safeRawMessage(text, hidden);
    return refusalOf(answer, reason, { code: null, message }, this.clock.now());
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
