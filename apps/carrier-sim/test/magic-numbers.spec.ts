import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';

/** The ranges of all markets, without the two digits that choose the outcome. */
const RANGES = [
  '+120255501',
  '+4477009000',
  '+23480300000',
  '+2547120000',
  '+2332400000',
  '+278200000',
  '+22901970000',
  '+22507000000',
];

describe('magic numbers', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const twilio = async (to: string) => (await bench.twilio({ To: to })).status;
  const africasTalking = async (to: string) => {
    const { status, text } = await bench.africasTalking({ phoneNumbers: [to] });
    return status === 201
      ? (JSON.parse(text).SMSMessageData.Recipients[0].statusCode as number)
      : status;
  };
  const rows = async () => (await bench.control('GET', '/messages')).json as unknown[];
  const reports = (count: number) =>
    bench.receiver.waitFor(count).then((callbacks) => callbacks.map(({ form }) => form.status));

  it.each(RANGES)('stand at the end of %s', async (range) => {
    expect(await africasTalking(`${range}16`)).toBe(407);
    expect(await africasTalking(`${range}160`)).toBe(101);
  });

  it('mean nothing where the table is silent', async () => {
    for (const digits of ['26', '40', '60', '99']) {
      expect(await africasTalking(`+23480300000${digits}`)).toBe(101);
    }
    expect(await reports(4)).toEqual(['Success', 'Success', 'Success', 'Success']);
  });

  it('00 is delivered at once, 03 never reported', async () => {
    await africasTalking('+2348030000003');
    await africasTalking('+2348030000000');
    expect(await reports(1)).toEqual(['Success']);
    await bench.settled();
    expect(bench.receiver.callbacks).toHaveLength(1);
    expect(await rows()).toHaveLength(2);
  });

  it('06 is reported without waiting for its answer', async () => {
    const answer = africasTalking('+2348030000006');
    expect(await reports(1)).toEqual(['Success']);
    expect(await answer).toBe(101);
  });

  it('07 and 08 contradict themselves, and reach the handset', async () => {
    await africasTalking('+2348030000007');
    expect(await reports(2)).toEqual(['Success', 'Failed']);
    bench.receiver.clear();
    await africasTalking('+2348030000008');
    expect(await reports(2)).toEqual(['Failed', 'Success']);
    expect(await rows()).toHaveLength(2);
  });

  it('28 is unavailable, 39 throttled, everywhere', async () => {
    for (const send of [twilio, africasTalking]) {
      expect(await send('+2348030000028')).toBe(503);
      expect(await send('+2348030000039')).toBe(429);
      expect(await send('+2348030000039')).toBe(429);
    }
  });

  it('29 is never answered, everywhere', async () => {
    const to = '+2348030000029';
    expect(await bench.isUnanswered(twilio(to))).toBe(true);
    expect(await bench.isUnanswered(africasTalking(to))).toBe(true);
    expect(await rows()).toEqual([]);
  });

  it('50 fails at the first provider that is asked, and fails there again', async () => {
    const one = '+2348030000050';
    expect([await africasTalking(one), await twilio(one)]).toEqual([503, 201]);
    expect([await africasTalking(one), await twilio(one)]).toEqual([503, 201]);
    const other = '+254712000050';
    expect([await twilio(other), await africasTalking(other)]).toEqual([503, 101]);
  });

  it('51 hangs at the first', async () => {
    const to = '+2348030000051';
    expect(await bench.isUnanswered(africasTalking(to))).toBe(true);
    expect(await rows()).toEqual([]);
    expect(await twilio(to)).toBe(201);
  });

  it('52 arrives, but its answer is lost', async () => {
    await expect(africasTalking('+2348030000052')).rejects.toThrow();
    expect(await reports(1)).toEqual(['Success']);
    expect(await rows()).toHaveLength(1);
    expect(await twilio('+2348030000052')).toBe(201);
  });

  it('53 is throttled twice, then accepted, each time', async () => {
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push(await africasTalking('+2348030000053'));
    expect(statuses).toEqual([429, 429, 101, 429, 429, 101]);
  });

  it('54 and 55: the first refuses the sender, or the account is bad', async () => {
    expect(await africasTalking('+2348030000054')).toBe(402);
    expect(await africasTalking('+2348030000055')).toBe(405);
    expect(await twilio('+2348030000054')).toBe(201);
    expect(await twilio('+2348030000055')).toBe(201);
    expect(await twilio('+254712000055')).toBe(401);
  });

  it('56 fails at the first two', async () => {
    expect([await africasTalking('+2348030000056'), await twilio('+2348030000056')]).toEqual([
      503, 503,
    ]);
  });

  it('58 is accepted by the first, whose subscriber is absent', async () => {
    expect(await africasTalking('+2348030000058')).toBe(101);
    expect(await reports(1)).toEqual(['AbsentSubscriber']);
    expect(await rows()).toEqual([]);
    expect(await twilio('+2348030000058')).toBe(201);
    expect(await rows()).toHaveLength(1);
  });

  it('59 is taken in, but not answered for long', async () => {
    const to = '+2348030000059';
    expect(await bench.isUnanswered(africasTalking(to))).toBe(true);
    expect(await rows()).toHaveLength(1);
  });
});
