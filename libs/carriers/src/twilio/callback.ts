import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import { E164 } from '../number.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierReport,
} from '../provider.port.js';
import { referenceOf } from '../reference.policy.js';
import { isTwilioSignature } from './signature.js';
import { twilioReason, twilioState } from './status-map.js';

const MESSAGE_SID = /^(?:SM|MM)[0-9a-f]{32}$/;

export function isMessageSid(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_SID.test(value);
}

/**
 * Reads a callback. It trusts nothing before the signature is right, and reports no format error
 * before that.
 */
export function readTwilioCallback(authToken: string, callback: CarrierCallback): CallbackResult {
  const signature = callback.headers['x-twilio-signature'];
  if (typeof signature !== 'string') return { verdict: 'forged' };
  const fields = new URLSearchParams(callback.rawBody);
  if (!isTwilioSignature(signature, authToken, callback.url, fields)) return { verdict: 'forged' };
  const direct = inboundOf(fields);
  if (callback.method === 'POST' && direct !== null) {
    return { verdict: 'inbound', messages: [direct] };
  }
  const sid = fields.get('MessageSid') ?? fields.get('SmsSid');
  const status = fields.get('MessageStatus') ?? fields.get('SmsStatus');
  if (callback.method !== 'POST' || !isMessageSid(sid) || !status) return { verdict: 'malformed' };
  return { verdict: 'reports', reports: [reportOf(callback, sid, status, fields)] };
}

/**
 * Returns an inbound message. It has a body, and the status "received" if any; a report has no
 * body.
 */
function inboundOf(fields: URLSearchParams): CarrierInbound | null {
  const sid = fields.get('MessageSid') ?? fields.get('SmsSid');
  const [from, to, body] = [fields.get('From'), fields.get('To'), fields.get('Body')];
  const status = fields.get('SmsStatus') ?? fields.get('MessageStatus') ?? 'received';
  if (status !== 'received' || !isMessageSid(sid) || body === null || !to || !from) return null;
  return E164.test(from) ? { from, to, body, providerMessageId: sid } : null;
}

function reportOf(
  { query }: CarrierCallback,
  providerMessageId: string,
  status: string,
  fields: URLSearchParams,
): CarrierReport {
  const state = twilioState(status);
  const errorCode = rawCodeOf(fields.get('ErrorCode'));
  return {
    ...referenceOf(query),
    providerMessageId,
    state,
    reason: state === 'failed' ? (twilioReason(errorCode) ?? 'unknown_error') : null,
    // Twilio names an error beside a status that is not final, too.
    rawCode: (state === 'failed' ? errorCode : null) ?? rawCodeOf(status),
    rawMessage: safeRawMessage(fields.get('ErrorMessage'), []),
    network: null,
  };
}
