import { toUSVString } from 'node:util';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import { asObject, parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import {
  type Answered,
  isSuccess,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import type { SubmitOutcome, SubmitRequest } from '../provider.port.js';
import { isAcceptedCode, refusalReason, refusalReasonOfName } from './status-map.js';

export interface AfricasTalkingSettings extends HttpAccount {
  username: string;
  apiKey: string;
}

/** Africa's Talking bulk SMS over JSON. Its callback URL is set per account, at the carrier. */
export class AfricasTalkingAdapter extends HttpProvider<AfricasTalkingSettings> {
  readonly carrier = 'africas_talking';
  /** The JSON body up to the message text. */
  private readonly bodyStart: string;

  constructor(settings: AfricasTalkingSettings) {
    super(settings, '/version1/messaging/bulk', {
      apiKey: settings.apiKey,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    this.bodyStart = `{"username":${JSON.stringify(settings.username)},"message":`;
  }

  protected bodyOf({ body, senderId, destination }: SubmitRequest): string {
    return (
      `${this.bodyStart}${JSON.stringify(toUSVString(body))},` +
      `"senderId":${JSON.stringify(senderId ?? this.defaultSenderId)},` +
      `"phoneNumbers":[${JSON.stringify(destination)}]}`
    );
  }

  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const data = asObject(parseJsonObject(answer.body)?.SMSMessageData);
    const outcome = data === null ? null : this.recipientOutcome(data, request);
    // The refusal of a number on the Do Not Disturb registry also comes with HTTP 409.
    if (outcome !== null && answer.status < 500) return outcome;
    if (isSuccess(answer.status)) return unreadableAcceptance(answer.status);
    return refusalOf(answer, null, { code: null, message: null }, this.clock.now());
  }

  /** Returns null when the answer does not say what happened to the recipient. */
  private recipientOutcome(data: JsonObject, request: SubmitRequest): SubmitOutcome | null {
    const recipients = Array.isArray(data.Recipients) ? data.Recipients : [];
    const recipient = asObject(recipients[0]);
    if (recipient === null) return this.outcomeWithoutRecipients(data.Message);
    const { statusCode, status, messageId } = recipient;
    if (typeof statusCode !== 'number') return null;
    if (isAcceptedCode(statusCode)) {
      return isMessageId(messageId) ? { outcome: 'accepted', providerMessageId: messageId } : null;
    }
    // An unknown code of the accepting hundred more likely means accepted than refused.
    if (statusCode < 400) return null;
    return {
      outcome: 'refused',
      reason: refusalReason(statusCode) ?? 'unknown_error',
      rawCode: String(statusCode),
      rawMessage: safeRawMessage(status, [request.body, this.settings.apiKey]),
    };
  }

  /** Returns the outcome of a refused sender, for which the answer lists no recipients. */
  private outcomeWithoutRecipients(message: unknown): SubmitOutcome | null {
    const reason = typeof message === 'string' ? refusalReasonOfName(message) : null;
    if (reason === null) return null;
    return { outcome: 'refused', reason, rawCode: rawCodeOf(message), rawMessage: null };
  }
}

function isMessageId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== 'None';
}
