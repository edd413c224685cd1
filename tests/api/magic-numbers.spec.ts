/** Test mode: every magic number of domain 8.3, decisions 12 and 16, as an SMS and as a code. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { magicNumber } from '../support/numbers.js';
import { cases, type Family, families, outcomes, refusals } from '../support/magic-outcomes.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;
let receiver: WebhookReceiver;

const send = (family: Family, phone_number: string) => {
  const to = { key: customer.testKey };
  return family === 'otp'
    ? customer.sendOtp({ phone_number }, to)
    : customer.sendSms({ phone_number }, to);
};

async function sent(family: Family, phone_number: string): Promise<string> {
  const { status, json } = await send(family, phone_number);
  expect({ phone_number, status }).toEqual({ phone_number, status: 200 });
  return json.id as string;
}

const ended = (family: Family, id: string, status: string) => {
  const timeout = { key: customer.testKey };
  return family === 'otp'
    ? customer.otpWith(status, id, timeout)
    : customer.smsWith(status, id, timeout);
};

const statusesOf = ({ timeline }: { timeline: { status: string }[] }) =>
  timeline.map(({ status }) => status);

/** A receipt after a minute would arrive before the last cases look. */
const AFTER_A_MINUTE = '02';
const idFor = (family: Family, digits: string) =>
  digits === AFTER_A_MINUTE ? sent(family, magicNumber(2)) : idOf(family, digits);
const ids = new Map<string, string>();
const idOf = (family: Family, digits: string) => ids.get(`${family} ${digits}`)!;

beforeAll(async () => {
  // Without credits, because a test key needs none.
  customer = await suite.customer({ credits: 0 });
  receiver = await WebhookReceiver.start();
  const optional = ['otp.delivered', 'otp.verified', 'otp.expired'];
  const usual = ['otp.sent', 'otp.failed', 'sms.delivered', 'sms.failed', 'sms.blocked'];
  await suite.operator.putWebhook(customer.workspace, receiver.url, [...usual, ...optional]);
  // Some take seconds, so all run while the first is checked.
  await Promise.all(
    cases.map(async ([family, digits]) =>
      ids.set(`${family} ${digits}`, await sent(family, magicNumber(Number(digits)))),
    ),
  );
});

afterAll(() => receiver.close());

describe('domain 8.3', () => {
  it.each(cases)(
    '2.5, domain 8.3, decisions 27: %s %s ends as documented and fires the event of its end once',
    async (family, digits, outcome) => {
      const { status, reason, hops = [], attempts } = outcome;
      const failure = reason === undefined ? {} : { reason, refunded: true };
      const id = await idFor(family, digits);
      const record = await ended(family, id, status);
      expect(record.test_mode).toBe(true);
      expect(statusesOf(record)).toEqual(['queued', ...hops, status]);
      expect(record).toMatchObject(failure);
      expect(record.timeline.at(-1)).toMatchObject(failure);
      if (reason === undefined) {
        expect(record).not.toHaveProperty('reason');
        expect(record).not.toHaveProperty('refunded');
      }
      if (family === 'sms') {
        expect(record.cost).toMatchObject({ amount_kobo: 500 });
        if (attempts !== undefined) expect(record.provider_attempts).toHaveLength(attempts);
        for (const { provider } of record.provider_attempts) {
          expect(provider).toMatch(/^simulator_[123]$/);
        }
        expect(record.provider).toBe(record.provider_attempts.at(-1)?.provider ?? null);
      }
      const name = `${family}.${status}`;
      // Variant A announces an SMS only when it was delivered or failed.
      if (name === 'sms.sent') return;
      const [event] = await waitUntil(`${name} of ${digits}`, () => {
        const events = receiver.events(name, id);
        return events.length > 0 && events;
      });
      expect(event!.json.data).toMatchObject({ id, status, credit_cost: 5, ...failure });
      // A delivery with a late answer is repeated under the same id.
      const eventIds = receiver.events(name, id).map(({ headers }) => headers['webhook-id']);
      expect(new Set(eventIds).size).toBe(1);
    },
  );

  it.each(refusals)(
    '7, domain 8.3: %s as %s is answered %d %s',
    async (digits, family, status, type) => {
      const answer = await send(family, magicNumber(digits));
      expectError(answer, status, type);
      if (status === 429) expect(answer.headers['retry-after']).toBe('1');
    },
  );

  it.each([8, 7])('%d stays what it is after the contradicting receipt', async (digits) => {
    const status = digits === 8 ? 'failed' : 'delivered';
    const before = families.map(async (family) => {
      const id = await sent(family, magicNumber(digits));
      return { family, id, first: await ended(family, id, status) };
    });
    const all = await Promise.all(before);
    // The receipt of this one is due two seconds after the contradicting ones.
    await ended('sms', await sent('sms', magicNumber(4)), 'delivered');
    for (const { family, id, first } of all) {
      const second = await ended(family, id, status);
      expect(second.timeline).toEqual(first.timeline);
      expect([second.reason, second.refunded]).toEqual([first.reason, first.refunded]);
    }
  });

  it('40 as an SMS is blocked, with the verdict', async () => {
    const id = await sent('sms', magicNumber(40));
    const record = await ended('sms', id, 'blocked');
    expect(record).toMatchObject({ reason: 'antispam_blocked', refunded: true });
    expect(record.antispam).toMatchObject({ flagged: true, action: 'block' });
    expect(record.provider_attempts).toEqual([]);
    expect(statusesOf(record)).toEqual(['queued', 'blocked']);
    await waitUntil('sms.blocked', () => receiver.events('sms.blocked', id).length === 1);
    const { data } = receiver.events('sms.blocked', id)[0]!.json;
    expect(data).toMatchObject({ status: 'blocked', refunded: true, antispam: record.antispam });
  });

  it('2.5: 41 as an SMS is tagged and delivered', async () => {
    const record = await ended('sms', await sent('sms', magicNumber(41)), 'delivered');
    expect(record.metadata.antispam).toMatchObject({ label: expect.any(String) });
  });

  it('60 has a code that is not the usual one', async () => {
    const key = customer.testKey;
    const { json } = await customer.verify(idOf('otp', '60'), '123456', { key });
    expect(json).toMatchObject({ valid: false, attempts_used: 1 });
  });

  it('61 is expired when it is stored', async () => {
    const key = customer.testKey;
    expectError(await customer.verify(idOf('otp', '61'), '123456', { key }), 409, 'otp_expired');
  });

  it('62 fails with the first wrong code, without a refund', async () => {
    const key = customer.testKey;
    const id = await sent('otp', magicNumber(62));
    await ended('otp', id, 'delivered');
    const { json } = await customer.verify(id, '999999', { key });
    expect(json).toMatchObject({ valid: false, status: 'failed', attempts_remaining: 0 });
    const record = await ended('otp', id, 'failed');
    expect(record).toMatchObject({ reason: 'max_attempts_exceeded', refunded: false });
    expect(statusesOf(record)).toEqual(['queued', 'sent', 'delivered', 'failed']);
    await waitUntil('otp.failed', () => receiver.events('otp.failed', id).length === 1);
  });

  it('decisions 12: no chance: the same again is the same again', async () => {
    const again = [6, 8, 15, 16, 20, 50, 54, 57, 58];
    await Promise.all(
      again.flatMap((digits) =>
        families.map(async (family) => {
          const { status } = outcomes[digits]!;
          const name = String(digits).padStart(2, '0');
          const first = await ended(family, idOf(family, name), status);
          const second = await ended(family, await sent(family, magicNumber(digits)), status);
          expect(statusesOf(second)).toEqual(statusesOf(first));
          expect(second.reason).toBe(first.reason);
          expect(second.provider_attempts?.length).toBe(first.provider_attempts?.length);
        }),
      ),
    );
  });

  it.each([
    '+12025550110',
    '+447700900010',
    '+2348030000010',
    '+254712000010',
    '+233240000010',
    '+27820000010',
    '+2290197000010',
    '+2250700000010',
  ])('8.2: %s is magic', async (number) => {
    for (const family of families) {
      const record = await ended(family, await sent(family, number), 'failed');
      expect(record.reason).toBe('unknown_subscriber');
    }
  });

  it('decisions 5: nothing of it stands in the ledger', async () => {
    expect(await customer.ledger()).toEqual([]);
    expect(await customer.balance()).toBe(0);
  });
});

it('domain 3.1: every reason can be met in test mode', () => {
  const met = new Set(cases.map(([, , { reason }]) => reason));
  // Tested above: 62 and 40.
  const elsewhere = ['max_attempts_exceeded', 'antispam_blocked'];
  const reasons = [
    ...['invalid_number', 'unsupported_number', 'unknown_subscriber', 'absent_subscriber'],
    ...['handset_error', 'subscriber_barred', 'dnd_active', 'opted_out', 'content_rejected'],
    ...['sender_id_rejected', 'message_invalid', 'no_route', 'network_error'],
    ...['carrier_rejected', 'throttled', 'provider_rejected', 'provider_unavailable'],
    ...['provider_timeout', 'expired', 'fraud_blocked', 'all_providers_failed', 'unknown_error'],
  ];
  expect(reasons.length + elsewhere.length).toBe(24);
  for (const reason of reasons) expect([reason, met.has(reason)]).toEqual([reason, true]);
});
