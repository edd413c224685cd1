import { rawCodeOf, safeRawMessage } from '../http/raw-message.policy.js';
import type { CallbackResult, CarrierCallback, CarrierReport } from '../provider.port.js';
import { referenceOf } from '../reference.policy.js';
import { isTwilioSignature } from './signature.js';
import { twilioReason, twilioState } from './status-map.js';

const MESSAGE_SID = /^(?:SM|MM)[0-9a-f]{32}$/;

export function isMessageSid(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_SID.test(value);
}

/** Nothing of a callback is believed, nor even called malformed, before its signature is right. */
export function readTwilioCallback(authToken: string, callback: CarrierCallback): CallbackResult {
  const signature = callback.headers['x-twilio-signature'];
  if (typeof signature !== 'string') return { verdict: 'forged' };
  const fields = new URLSearchParams(callback.rawBody);
  if (!isTwilioSignature(signature, authToken, callback.url, fields)) return { verdict: 'forged' };
  const sid = fields.get('MessageSid') ?? fields.get('SmsSid');
  const status = fields.get('MessageStatus') ?? fields.get('SmsStatus');
  if (callback.method !== 'POST' || !isMessageSid(sid) || !status) return { verdict: 'malformed' };
  return { verdict: 'reports', reports: [reportOf(callback, sid, status, fields)] };
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
    rawCode: errorCode ?? rawCodeOf(status),
    rawMessage: safeRawMessage(fields.get('ErrorMessage'), []),
    network: null,
  };
}
