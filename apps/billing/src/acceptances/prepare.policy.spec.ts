import { describe, expect, it } from '@jest/globals';
import { type AcceptRequest, newId } from '@watchword/contracts';
import { DEFAULT_PRICE_LIST } from '../../test/default-price-list.js';
import { prepare, type Terms } from './prepare.policy.js';

const terms: Terms = {
  prices: { version: 1, list: DEFAULT_PRICE_LIST } as Terms['prices'],
  quotes: new Map(),
  acceptedAt: '2026-01-05T09:00:00.000Z',
};
const request: AcceptRequest = {
  idempotency: null,
  send: {
    message_id: newId(),
    workspace_id: newId(),
    test_mode: false,
    kind: 'sms',
    family: 'b',
    destination: '+2348031234567',
    country_code: 'NG',
    network: 'mtn_ng',
    sender_id: 'Acme',
    segments: 2,
    metadata: {},
    sms: null,
    otp: null,
  },
};

describe('a priced send', () => {
  it.each([
    ['nothing', {}],
    ['another price', { credits: 0, credit_price: { amount: 0, currency: 'NGN' } }],
  ])(
    'has our price and no credits in the text of its command, where the caller says %s',
    (_, over) => {
      const given = { ...request, send: Object.assign({ ...over }, request.send) };
      const { send, command } = prepare(given, terms);
      expect(send).toMatchObject({ credits: 10, credit_price: DEFAULT_PRICE_LIST.credit_price });
      expect(JSON.parse(`{"credits":10,${command}`)).toEqual(send);
      expect(command.match(/"credits"/g)).toBeNull();
    },
  );
});
