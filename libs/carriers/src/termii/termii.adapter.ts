import { toUSVString } from 'node:util';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import {
  type Answered,
  isSuccess,
  refusalOf,
  unreadableAcceptance,
} from '../http/outcome.policy.js';
import { safeRawMessage } from '../http/raw-message.policy.js';
import { withoutPlus } from '../number.policy.js';
import { forAllKinds, type SubmitOutcome, type SubmitRequest } from '../provider.port.js';
import { messageIdOf, parseTermiiObject } from './message-id.js';
import { termiiRefusal } from './status-map.js';

/**
 * Termii's routes. `dnd` is for transactional messages, also to numbers on a Do Not Disturb
 * registry. `generic` is for promotions and skips those numbers.
 */
export type TermiiChannel = 'dnd' | 'generic';

export interface TermiiSettings extends HttpAccount {
  apiKey: string;
  /** The channel of transactional texts. One-time passwords always take `dnd`, promotional texts `generic`. */
  channel: TermiiChannel;
}

/** Termii's messaging API. Its callback URL is set per account, at the carrier. */
export class TermiiAdapter extends HttpProvider<TermiiSettings> {
  readonly carrier = 'termii';
  /** The JSON body up to the number. */
  private readonly bodyStart: string;

  constructor(settings: TermiiSettings) {
    const dndCapable = settings.dndCapable ?? {
      ...forAllKinds(settings.channel === 'dnd'),
      otp: true,
    };
    super({ ...settings, dndCapable }, '/api/sms/send', {
      'content-type': 'application/json',
      accept: 'application/json',
    });
    this.bodyStart = `{"api_key":${JSON.stringify(settings.apiKey)},"to":`;
  }

  /** Returns the JSON body. Termii takes no reference and no validity. */
  protected bodyOf(request: SubmitRequest): string {
    const { destination, senderId, body, encoding } = request;
    const channel = this.channelOf(request);
    const sender = withoutPlus(senderId ?? this.defaultSenderId);
    return (
      `${this.bodyStart}"${withoutPlus(destination)}",` +
      `"from":${JSON.stringify(sender)},` +
      `"sms":${JSON.stringify(toUSVString(body))},` +
      `"type":"${encoding === 'GSM-7' ? 'plain' : 'unicode'}","channel":"${channel}"}`
    );
  }

  private channelOf({ kind, isPromotional }: SubmitRequest): TermiiChannel {
    if (kind === 'otp') return 'dnd';
    return isPromotional ? 'generic' : this.settings.channel;
  }

  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const fields = parseTermiiObject(answer.body);
    const providerMessageId = fields && messageIdOf(fields);
    if (isSuccess(answer.status) && providerMessageId !== null) {
      return { outcome: 'accepted', providerMessageId };
    }
    const refusal = termiiRefusal(answer.status, fields?.message);
    if (isSuccess(answer.status) && refusal === null) return unreadableAcceptance(answer.status);
    const message = safeRawMessage(fields?.message, [request.body, this.settings.apiKey]);
    const raw = { code: refusal?.text ?? null, message };
    return refusalOf(answer, refusal?.reason ?? null, raw, this.clock.now());
  }
}
