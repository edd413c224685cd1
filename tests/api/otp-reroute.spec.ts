/** Codes sent once more by another carrier after a failed report: domain facts 3.1 (`otp+`) and 8.3 (58). */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, UNLIMITED_OTPS, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let rerouting: Customer;
let ordinary: Customer;

beforeAll(async () => {
  const settings = { ...UNLIMITED_OTPS, otp_reroute: true };
  rerouting = await suite.customer({ credits: 1_000, settings });
  ordinary = await suite.customer({ credits: 1_000, settings: UNLIMITED_OTPS });
});

const fails = (code: string, provider = 'africas_talking') => ({
  provider,
  receipts: [{ after_ms: 0, outcome: 'failed', code }],
});

async function sentWith(customer: Customer, ...scenarios: ReturnType<typeof fails>[]) {
  const phone_number = freshNumber();
  for (const scenario of scenarios) await suite.scenario({ ...scenario, to: phone_number });
  const { json } = await customer.sendOtp({ phone_number });
  return { id: json.id as string, number: phone_number };
}

async function entriesOf(customer: Customer, id: string) {
  return (await customer.ledger()).filter(({ message_id }) => message_id === id);
}

/** Operators see the attempts of a code. */
async function carriersOf(id: string): Promise<string[]> {
  const { json } = await suite.operator.request('GET', `/messages/${id}`);
  return json.provider_attempts.map(({ provider }: { provider: string }) => provider);
}

describe('a code that a report says did not arrive', () => {
  it('a code that a report says did not arrive goes to the next carrier once, with the same code, for the one charge', async () => {
    const { id, number } = await sentWith(rerouting, fails('AbsentSubscriber'));
    const record = await rerouting.otpWith('delivered', id);
    expect(record.timeline.map(({ status }: { status: string }) => status)).toEqual([
      'queued',
      'sent',
      'delivered',
    ]);
    expect(record.timeline.at(-1).provider).toBe('twilio');
    expect(await carriersOf(id)).toEqual(['africas_talking', 'twilio']);
    expect((await entriesOf(rerouting, id)).map(({ kind }) => kind)).toEqual(['charge']);
    const code = await suite.codeAt(number);
    expect((await rerouting.verify(id, code)).json).toMatchObject({ valid: true });
  });

  it('a code that a report says did not arrive fails with the reason of the second carrier where that cannot help either', async () => {
    const scenarios = [fails('AbsentSubscriber'), fails('30005', 'twilio')];
    const { id } = await sentWith(rerouting, ...scenarios);
    const record = await rerouting.otpWith('failed', id);
    expect(record).toMatchObject({ reason: 'unknown_subscriber', refunded: true });
    expect(await carriersOf(id)).toEqual(['africas_talking', 'twilio']);
    await waitUntil('its refund', async () => (await entriesOf(rerouting, id)).length === 2);
    const entries = await entriesOf(rerouting, id);
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['charge', 'refund']);
  });

  it('a code that a report says did not arrive fails at once for a reason that no other carrier changes', async () => {
    const { id } = await sentWith(rerouting, fails('UserDoesNotExist'));
    const record = await rerouting.otpWith('failed', id);
    expect(record).toMatchObject({ reason: 'unknown_subscriber', refunded: true });
    expect(await carriersOf(id)).toEqual(['africas_talking']);
  });

  it('a code that a report says did not arrive fails at once unless the workspace switches it on', async () => {
    const { id } = await sentWith(ordinary, fails('AbsentSubscriber'));
    expect(await ordinary.otpWith('failed', id)).toMatchObject({ reason: 'absent_subscriber' });
  });

  it('a code that a report says did not arrive is 58 in test mode', async () => {
    const phone_number = magicNumber(58);
    for (const [customer, status] of [
      [rerouting, 'delivered'],
      [ordinary, 'failed'],
    ] as const) {
      const { testKey: key } = customer;
      const { json } = await customer.sendOtp({ phone_number }, { key });
      const record = await customer.otpWith(status, json.id, { key });
      expect(record).toMatchObject({ test_mode: true });
    }
  });
});
