import { networkByMccMnc } from '@watchword/telephony';
import { rawCodeOf } from '../http/raw-message.policy.js';
import type { CallbackResult, CarrierCallback, CarrierInbound } from '../provider.port.js';
import { E164, referenceOf } from '../reference.policy.js';
import { failureReason, reportState } from './status-map.js';

const ID_LENGTH_MAX = 128;

/**
 * Nothing is signed: the secret in the path, which the gateway compares, is all the proof there
 * is. A report names the message by the carrier's id; ours is there only if the callback URL in
 * the carrier's settings carries one, which for a URL set per account it does not.
 */
export function readAfricasTalkingCallback(callback: CarrierCallback): CallbackResult {
  const fields = new URLSearchParams(callback.rawBody);
  const direct = inboundOf(fields);
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
        destination: destinationOf(fields.get('phoneNumber')),
        network: networkByMccMnc(fields.get('networkCode') ?? '')?.token ?? null,
      },
    ],
  };
}

/** An inbound message: `linkId` belongs to premium ones, and `date` is the carrier's. */
function inboundOf(fields: URLSearchParams): CarrierInbound | null {
  const [from, to, body] = [fields.get('from'), fields.get('to'), fields.get('text')];
  const id = fields.get('id');
  if (!id || id.length > ID_LENGTH_MAX || !to || body === null || from === null) return null;
  const number = destinationOf(from);
  return number === null ? null : { from: number, to, body, providerMessageId: id };
}

/** The plus of a number may have been read as a blank. */
function destinationOf(phoneNumber: string | null): string | null {
  const number = (phoneNumber ?? '').trim().replace(/^(?=[1-9])/, '+');
  return E164.test(number) ? number : null;
}
