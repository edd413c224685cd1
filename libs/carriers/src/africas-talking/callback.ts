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
  const messages = inboundOf(fields) ?? optOutOf(fields);
  if (callback.method === 'POST' && messages !== null) return { verdict: 'inbound', messages };
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
        // A failure that is given beside a status that is not final does not replace its word.
        rawCode: rawCodeOf(state === 'failed' ? (failure ?? status) : status),
        rawMessage: null,
        destination: e164Of(fields.get('phoneNumber')),
        network: networkByMccMnc(fields.get('networkCode') ?? '')?.token ?? null,
      },
    ],
  };
}

/**
 * Returns the inbound message, none of a sender without a number, or null for what is none. A short
 * code opts out of nothing. `linkId` belongs to premium messages, and `date` is the carrier's.
 */
function inboundOf(fields: URLSearchParams): CarrierInbound[] | null {
  const [sender, to, body] = [fields.get('from'), fields.get('to'), fields.get('text')];
  const id = fields.get('id');
  if (!id || id.length > ID_LENGTH_MAX || !to || !sender || body === null) return null;
  const from = e164Of(sender);
  return from === null ? [] : [{ from, to, body, providerMessageId: id }];
}

/**
 * Returns an opt-out as the STOP that it stands for. A handset cannot answer a sender ID of letters;
 * it opts out at the carrier. The callback has no id, and no status, which a report has.
 */
function optOutOf(fields: URLSearchParams): CarrierInbound[] | null {
  const senderId = fields.get('senderId');
  const number = e164Of(fields.get('phoneNumber'));
  if (!senderId || senderId.length > ID_LENGTH_MAX || number === null) return null;
  if (fields.has('status')) return null;
  return [{ from: number, to: senderId, body: 'STOP', providerMessageId: null }];
}
