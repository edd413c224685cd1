import { describe, expect, it } from '@jest/globals';
import type { IdempotencyClaim, RequestSenderBody, SenderRecord } from '@watchword/contracts';
import { InFlightKeys } from '../messages/in-flight-keys.js';
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

/** A workspace that bought too little by now, and what dispatch knows of the key. */
function handler(known: { sender: SenderRecord | null; is_conflict: boolean }): SendersHandler {
  const dispatch = {
    findRequestedSender: async () => known,
    requestSender: () => Promise.reject(new Error('nothing may be requested')),
  };
  const billing = { getAccount: async () => ({ purchased_credits: 9_999 }) };
  return new SendersHandler(dispatch as never, billing as never, new InFlightKeys());
}

describe('a request for a sender ID after a refund of the purchase', () => {
  it('answers a replay as it did first', async () => {
    const answer = await handler({ sender: first, is_conflict: false }).request('w', body, claim);
    expect(answer).toMatchObject({ replayed: true, sender: { id: 'first' } });
  });

  it.each([
    ['permission_error', { sender: null, is_conflict: false }, claim],
    ['permission_error', { sender: null, is_conflict: false }, null],
    ['idempotency_conflict', { sender: null, is_conflict: true }, claim],
  ])('is a %s where dispatch finds %j', async (type, known, given) => {
    await expect(handler(known).request('w', body, given)).rejects.toMatchObject({ type });
  });
});
