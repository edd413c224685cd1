import { describe, expect, it } from '@jest/globals';
import {
  asId,
  type IdempotencyClaim,
  type RequestSenderBody,
  type SenderRecord,
} from '@watchword/contracts';
import { ServiceUnavailable } from '@watchword/rpc';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { SendersHandler } from './senders.handler.js';

const body: RequestSenderBody = {
  sender_id: 'Acme',
  countries: ['NG'],
  registered_entity: 'Acme Ltd',
  use_case: 'Order updates',
  sample_message: 'Your order 1 is on its way.',
};
const claim: IdempotencyClaim = { scope: 'live POST /v1/sender-ids', key: 'k', fingerprint: 'f' };
const first = { id: 'first', sender_id: 'Acme' } as SenderRecord;

type Known = { sender: SenderRecord | null; is_conflict: boolean };

/** A workspace that bought too little by now, and what dispatch knows of the key. */
function handler(known: Known | Error): SendersHandler {
  const dispatch = {
    findRequestedSender: () =>
      known instanceof Error ? Promise.reject(known) : Promise.resolve(known),
    requestSender: () => Promise.reject(new Error('nothing may be requested')),
  };
  const billing = { getAccount: async () => ({ purchased_credits: 9_999 }) };
  return new SendersHandler(dispatch as never, billing as never, new InFlightKeys());
}

describe('a request for a sender ID after a refund of the purchase', () => {
  it('answers a replay as it did first', async () => {
    const answer = await handler({ sender: first, is_conflict: false }).request(
      asId('w'),
      body,
      claim,
    );
    expect(answer).toMatchObject({ replayed: true, sender: { id: 'first' } });
  });

  it.each([
    ['permission_error', { sender: null, is_conflict: false }, claim],
    ['permission_error', { sender: null, is_conflict: false }, null],
    ['idempotency_conflict', { sender: null, is_conflict: true }, claim],
  ])('is a %s where dispatch finds %j', async (type, known, given) => {
    await expect(handler(known).request(asId('w'), body, given)).rejects.toMatchObject({ type });
  });

  it('waits for dispatch where that is unavailable', async () => {
    const away = new ServiceUnavailable('dispatch', 'findRequestedSender', false);
    await expect(handler(away).request(asId('w'), body, claim)).rejects.toBe(away);
  });
});
