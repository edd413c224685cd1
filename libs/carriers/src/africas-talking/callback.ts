import { networkByMccMnc } from '@watchword/telephony';
import { rawCodeOf } from '../http/raw-message.policy.js';
import type { CallbackResult, CarrierCallback } from '../provider.port.js';
import { referenceOf } from '../reference.policy.js';
import { failureReason, reportState } from './status-map.js';

const ID_LENGTH_MAX = 128;

/**
 * Nothing is signed: the secret in the path, which the gateway compares, is all the proof there
 * is. A report names the message by the carrier's id; ours is there only if the callback URL in
 * the carrier's settings carries one, which for a URL set per account it does not.
 */
export function readAfricasTalkingCallback(callback: CarrierCallback): CallbackResult {
  const fields = new URLSearchParams(callback.rawBody);
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
        network: networkByMccMnc(fields.get('networkCode') ?? '')?.token ?? null,
      },
    ],
  };
}
