import { networkByMccMnc } from '@watchword/telephony';
import { rawCodeOf } from '../http/raw-message.policy.js';
import { e164Of } from '../number.policy.js';
import type { CallbackResult, CarrierCallback, CarrierInbound } from '../provider.port.js';
import { referenceOf } from '../reference.policy.js';
import { failureReason, reportState } from './status-map.js';

const ID_LENGTH_MAX = 128;

/**
 * Reads a callback. Africa's Talking signs nothing; the secret in the path, which the gateway
 * checks, is the only proof. A report names the message by the carrier's id. Ours is present only
 * if the URL in the carrier's settings contains one, which a URL per account does not.
 */
export function readAfricasTalkingCallback(callback: CarrierCallback): CallbackResult {
  const fields = new URLSearchParams(callback.rawBody);
  const direct = inboundOf(fields) ?? optOutOf(fields);
  if (callback.method === 'POST' && direct !== null) {
    return { verdict: 'inbound', messages: [direct] };
  }
  const id = fields.get('id');
  const status = fields.get('status');
  if (callback.method !== 'POST' || !id || id.length > ID_LENGTH_MAX || !status) {
    return { verdict: 'malformed' };
  }
  const state = reportState(status);
  const failure = fields.get('failureReason') || null;
  return {
    verdict: 'reports',
    reports: [
      {
        ...referenceOf(callback.query),
        providerMessageId: id,
        state,
        reason: state === 'failed' ? failureReason(status, failure) : null,
        rawCode: rawCodeOf(failure ?? status),
        rawMessage: null,
        destination: e164Of(fields.get('phoneNumber')),
        network: networkByMccMnc(fields.get('networkCode') ?? '')?.token ?? null,
      },
    ],
  };
}

/**
 * Returns an inbound message. `linkId` belongs to premium messages, and `date` is the carrier's.
 */
function inboundOf(fields: URLSearchParams): CarrierInbound | null {
  const [from, to, body] = [fields.get('from'), fields.get('to'), fields.get('text')];
  const id = fields.get('id');
  if (!id || id.length > ID_LENGTH_MAX || !to || body === null || from === null) return null;
  const number = e164Of(from);
  return number === null ? null : { from: number, to, body, providerMessageId: id };
}

/**
 * Returns an opt-out as the STOP that it stands for. A handset cannot answer a sender ID of letters;
 * it opts out at the carrier. The callback has no id, and no status, which a report has.
 */
function optOutOf(fields: URLSearchParams): CarrierInbound | null {
  const senderId = fields.get('senderId');
  const number = e164Of(fields.get('phoneNumber'));
  if (!senderId || senderId.length > ID_LENGTH_MAX || number === null) return null;
  if (fields.has('status')) return null;
  return { from: number, to: senderId, body: 'STOP', providerMessageId: null };
}
