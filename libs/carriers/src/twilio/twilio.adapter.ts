import { toUSVString } from 'node:util';
import { basicCredentials } from '../http/basic-credentials.js';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import { parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import {
  type Answered,
  isSuccess,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import type { SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { referenceQuery } from '../reference.policy.js';
import { isMessageSid } from './callback.js';
import { twilioReason, twilioState, UNSUBSCRIBED } from './status-map.js';

export interface TwilioSettings extends HttpAccount {
  accountSid: string;
  authToken: string;
  /** The URL that Twilio reports to, without a query. */
  callbackUrl: string;
}

/** Bounds of Twilio's `ValidityPeriod`, in seconds. */
const VALIDITY_SECONDS_MIN = 1;
const VALIDITY_SECONDS_MAX = 36_000;

/** Twilio Programmable Messaging, API version 2010-04-01. */
export class TwilioAdapter extends HttpProvider<TwilioSettings> {
  readonly carrier = 'twilio';
  /** `StatusCallback` up to the reference, already encoded for the form. */
  private readonly statusCallback: string;

  constructor(settings: TwilioSettings) {
    const { accountSid, authToken, callbackUrl } = settings;
    super(settings, `/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      authorization: basicCredentials(accountSid, authToken),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    });
    this.statusCallback = encodeURIComponent(`${callbackUrl}?`);
  }

  /**
   * Returns the form. Twilio chooses the encoding itself. Half a surrogate pair cannot be put into
   * a form.
   */
  protected bodyOf(request: SubmitRequest): string {
    const validity = Math.floor(request.validitySeconds);
    const validitySeconds = Math.max(
      VALIDITY_SECONDS_MIN,
      Math.min(validity, VALIDITY_SECONDS_MAX),
    );
    return (
      `To=${encodeURIComponent(request.destination)}` +
      `&From=${encodeURIComponent(request.senderId ?? this.defaultSenderId)}` +
      `&Body=${encodeURIComponent(toUSVString(request.body))}` +
      `&StatusCallback=${this.statusCallback}${encodeURIComponent(referenceQuery(request))}` +
      `&ValidityPeriod=${validitySeconds}`
    );
  }

  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const fields = parseJsonObject(answer.body);
    if (!isSuccess(answer.status)) return this.refusal(answer, fields, request);
    if (fields === null || !isMessageSid(fields.sid)) return unreadableAcceptance(answer.status);
    // A message that has already failed in the answer never gets a receipt.
    if (typeof fields.status === 'string' && twilioState(fields.status) === 'failed') {
      const { error_code: code, error_message: message } = fields;
      return this.refusal(answer, { code, message }, request);
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
    const refusal = refusalOf(answer, twilioReason(code), { code, message }, this.clock.now());
    const optsOut = code === UNSUBSCRIBED && refusal.reason === 'opted_out';
    return optsOut ? { ...refusal, optsOut } : refusal;
  }
}
