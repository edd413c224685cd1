/** Interface 2.6: the hops of a message, in order, with reason and refund where it ended badly. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { magicNumber } from '../support/numbers.js';
import { type Customer, instant, useSystem } from '../support/suite.js';

interface Hop {
  status: string;
  timestamp: string;
  reason?: string;
  refunded?: boolean;
}

const suite = useSystem();
let customer: Customer;
let test: { key: string };

beforeAll(async () => {
  customer = await suite.customer();
  test = { key: customer.testKey };
});

const otp = async (digits: number) =>
  (await customer.sendOtp({ phone_number: magicNumber(digits) }, test)).json.id as string;
const sms = async (digits: number) =>
  (await customer.sendSms({ phone_number: magicNumber(digits) }, test)).json.id as string;
const hopsOf = (record: { timeline: Hop[] }) => record.timeline.map(({ status }) => status);

describe('a timeline', () => {
  it('2.6: OTP: queued, sent, delivered, then verified, expired or failed', async () => {
    const [verified, expired, exhausted] = [await otp(0), await otp(61), await otp(62)];
    for (const id of [verified, exhausted]) await customer.otpWith('delivered', id, test);
    await customer.verify(verified, '123456', test);
    await customer.verify(exhausted, '000000', test);
    const reached = ['queued', 'sent', 'delivered'];
    const ends = [
      [verified, 'verified'],
      [expired, 'expired'],
      [exhausted, 'failed'],
    ] as const;
    for (const [id, end] of ends) {
      expect(hopsOf(await customer.otpWith(end, id, test))).toEqual([...reached, end]);
    }
    expect(hopsOf(await customer.otpWith('failed', await otp(10), test))).toEqual([
      ...['queued', 'sent', 'failed'],
    ]);
    expect(hopsOf(await customer.otpWith('failed', await otp(16), test))).toEqual([
      'queued',
      'failed',
    ]);
  });

  it('2.6: oldest first: times never go back, also under contradicting receipts', async () => {
    const ids = await Promise.all([6, 7, 8].map(sms));
    const records = await Promise.all([
      customer.smsWith('delivered', ids[0]!, test),
      customer.smsWith('delivered', ids[1]!, test),
      customer.smsWith('failed', ids[2]!, test),
    ]);
    for (const { timeline } of records) {
      const times = (timeline as Hop[]).map(({ timestamp }) => Date.parse(timestamp));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('decisions 3: hop has status and timestamp; terminal failures add two', async () => {
    const id = await otp(16);
    const { timeline } = await customer.otpWith('failed', id, test);
    const known = ['status', 'timestamp', 'provider', 'reason', 'refunded'];
    for (const hop of timeline as Hop[]) {
      expect(hop.timestamp).toMatch(instant);
      expect(known).toEqual(expect.arrayContaining(Object.keys(hop)));
      expect('reason' in hop).toBe(hop.status === 'failed');
      expect('refunded' in hop).toBe(hop.status === 'failed');
    }
  });
});
