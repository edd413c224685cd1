import { expect, it } from '@jest/globals';
import type { InProcessQueue, WrittenMessage } from '@watchword/bus';
import { newId, type SendRequest } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';
import { DEFAULT_PRICE_LIST } from '../../test/default-price-list.js';
import { AcceptStore } from './accept.store.js';
import { prepare, type Terms } from './prepare.policy.js';

const acceptedAt = '2026-01-05T09:00:00.000Z';
const terms: Terms = {
  prices: { version: 1, list: DEFAULT_PRICE_LIST } as Terms['prices'],
  quotes: new Map(),
  acceptedAt,
};
const sms: SendRequest = {
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
  metadata: { order: 'A "quoted" \\ ordér \u0000' },
  sms: {
    body: 'Your parcel is here',
    original_body: null,
    encoding: 'GSM-7',
    rewritten: false,
    anti_spam: 'off',
  },
  otp: null,
};
const otp: SendRequest = {
  ...sms,
  kind: 'otp',
  sms: null,
  otp: {
    code_length: 6,
    ttl_seconds: 300,
    language: 'en',
    max_attempts: 5,
    brand: 'Acme',
    template: null,
    last_line: null,
    resend_max: 3,
    strict: false,
  },
};

/** What consumers of this process get, where the wallet pays `credits`. */
async function delivered(send: SendRequest, credits: number): Promise<WrittenMessage[]> {
  const given: WrittenMessage[] = [];
  const queue: InProcessQueue = {
    async write(_, write) {
      const { result, messages } = await write('now');
      given.push(...messages());
      return result;
    },
    isRead: () => true,
  };
  const rows = [{ ordinal: 1, verdict: 'accepted', balance: 100, credits, budgetLeft: null }];
  const database = { query: async () => ({ rows }) } as unknown as Queryable;
  const acceptance = prepare({ send, idempotency: null }, terms);
  await new AcceptStore(database, queue).accept([acceptance], acceptedAt);
  return given;
}

it.each([
  ['an SMS', sms, 10],
  ['an SMS that a grant covers in part', sms, 5],
  ['a one-time password', otp, 5],
])(
  'the command of %s is delivered in the process as its text would be read',
  async (_, send, credits) => {
    const [command] = await delivered(send, credits);
    expect(command?.value).toStrictEqual(JSON.parse(command?.payload ?? ''));
    expect(command?.value).toMatchObject({ credits });
  },
);
