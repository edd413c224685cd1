import { toUSVString } from 'node:util';
import { type HttpAccount, HttpProvider } from '../http/http-provider.js';
import { asObject, parseJsonObject } from '../http/json-object.js';
import {
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
import { ACCEPTED_STATUS, vonageRefusal } from './status-map.js';

export interface VonageSettings extends HttpAccount {
  apiKey: string;
  apiSecret: string;
  /** The URL that Vonage reports to. The reference travels in `client-ref`. */
  callbackUrl: string;
}

/** Bounds of Vonage's `ttl`, in milliseconds: 20 seconds and 7 days. */
const TTL_MS_MIN = 20_000;
const TTL_MS_MAX = 604_800_000;

/** One part of the answer: a long text has several. `id` is null unless the part is accepted. */
interface AnsweredPart {
  status: string;
  id: string | null;
  errorText: unknown;
}

/** Vonage's SMS API. It splits a long text and gives each part its own id and receipt. */
export class VonageAdapter extends HttpProvider<VonageSettings> {
  readonly carrier = 'vonage';
  /** The form up to the message. */
  private readonly bodyStart: string;

  constructor(settings: VonageSettings) {
    super(settings, '/sms/json', {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    });
    const { apiKey, apiSecret, callbackUrl } = settings;
    this.bodyStart =
      `api_key=${encodeURIComponent(apiKey)}&api_secret=${encodeURIComponent(apiSecret)}` +
      `&status-report-req=1&callback=${encodeURIComponent(callbackUrl)}`;
  }

  /**
   * Returns the form. In a message of the type `text` Vonage replaces each character outside GSM-7
   * with a question mark.
   */
  protected bodyOf(request: SubmitRequest): string {
    const text = toUSVString(request.body);
    const type = request.encoding === 'GSM-7' ? 'text' : 'unicode';
    const ttlMs = Math.floor(request.validitySeconds * 1_000);
    const sender = request.senderId ?? this.defaultSenderId;
    return (
      `${this.bodyStart}&from=${encodeURIComponent(withoutPlus(sender))}` +
      `&to=${withoutPlus(request.destination)}&type=${type}&text=${encodeURIComponent(text)}` +
      `&ttl=${Math.max(TTL_MS_MIN, Math.min(ttlMs, TTL_MS_MAX))}` +
      `&client-ref=${encodeURIComponent(referenceQuery(request))}`
    );
  }

  /** Vonage answers 200 to refusals, too. */
  protected outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome {
    const parts = partsOf(parseJsonObject(answer.body)?.messages);
    // A text without all of its parts cannot be read, so one refused part refuses the message.
    const refused = parts?.find(({ status }) => status !== ACCEPTED_STATUS);
    if (refused !== undefined || !isSuccess(answer.status)) {
      const isPartlyTaken = parts?.some(({ status }) => status === ACCEPTED_STATUS);
      const refusal = this.refusal(answer, refused, request);
      return isPartlyTaken ? { ...refusal, partlyTaken: true } : refusal;
    }
    const ids = parts?.map(({ id }) => id).filter((id) => id !== null) ?? [];
    const [providerMessageId] = ids;
    if (providerMessageId === undefined || ids.length !== parts?.length) {
      return unreadableAcceptance(answer.status);
    }
    const accepted = { outcome: 'accepted', providerMessageId } as const;
    return ids.length === 1 ? accepted : { ...accepted, partIds: ids };
  }

  private refusal(
    answer: Answered,
    part: AnsweredPart | undefined,
    request: SubmitRequest,
  ): Refusal {
    const code = rawCodeOf(part?.status);
    const hidden = [request.body, this.settings.apiSecret];
    const raw = { code, message: safeRawMessage(part?.errorText, hidden) };
    return refusalOf(answer, vonageRefusal(code), raw, this.clock.now());
  }
}

/** Returns null unless the answer is a list of parts that each have a status. */
function partsOf(messages: unknown): AnsweredPart[] | null {
  if (!Array.isArray(messages) || messages.length === 0) return null;
  const parts: AnsweredPart[] = [];
  for (const message of messages) {
    const { status, 'message-id': id, 'error-text': errorText } = asObject(message) ?? {};
    if (typeof status !== 'string') return null;
    parts.push({ status, id: isCarrierId(id) ? id : null, errorText });
  }
  return parts;
}
