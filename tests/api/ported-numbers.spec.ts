/**
 * Ported numbers: the network that a delivery report names prices and names the next sends. Domain
 * facts 5.2. Every test that replaces the price list is here, because there is one list for the
 * whole installation. What it changes are prices of no other spec.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, UNLIMITED_OTPS, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

// Defined before the system is, so that it is done before the system is closed.
afterAll(() => suite.operator.request('PUT', '/prices', original));

const suite = useSystem();
let customer: Customer;
// oxlint-disable-next-line no-explicit-any -- prices as the API shows them
let original: any;

/** Numbers of these tests are Moov's by their prefix. Kenya has no rates of networks. */
const PLAN = 'CI-moov';
const RATES = [
  { name: 'Moov', mcc_mnc: ['61202'], credits: 4 },
  { name: 'Orange', mcc_mnc: ['61203'], credits: 9 },
];
const MOOV_CI = '61202';
const ORANGE_CI = '61203';

beforeAll(async () => {
  customer = await suite.customer({ credits: 10_000, settings: UNLIMITED_OTPS });
  original = (await suite.operator.request('GET', '/prices')).json;
  const prices = structuredClone(original);
  prices.countries.CI.networks = RATES;
  const { status } = await suite.operator.request('PUT', '/prices', prices);
  expect(status).toBe(200);
  // Each replica of billing reads the list when it is due.
  await waitUntil(
    'the rates of networks',
    async () => {
      const sent = await Promise.all(Array.from({ length: 8 }, sendOtp));
      return sent.every(({ json }) => json.credit_cost === 4);
    },
    { everyMs: 200 },
  );
});

const sendOtp = () => customer.sendOtp({ phone_number: freshNumber(PLAN) });
const quote = async (body: Record<string, unknown>) =>
  (await customer.post('/v1/quote', body)).json as { credits: number; network: string };
const quoteOtp = (phone_number: string) => quote({ kind: 'otp', phone_number });
const quoteSms = (phone_number: string) => quote({ kind: 'sms', phone_number, message: 'Hi' });

/** Waits until sends to the number are in that network. */
const untilIn = (network: string, number: string) =>
  waitUntil(`${number} to be in ${network}`, async () => {
    return (await quoteSms(number)).network === network;
  });

/** Makes the carrier name this network in its reports about the number. */
async function port(number: string, network: string): Promise<void> {
  const receipts = [{ after_ms: 10, outcome: 'delivered', network }];
  await suite.scenario({ to: number, receipts });
}

/** A number that an SMS has shown to be Orange's. */
async function portedNumber(): Promise<string> {
  const number = freshNumber(PLAN);
  await port(number, ORANGE_CI);
  await customer.sendSms({ phone_number: number });
  await untilIn('orange_ci', number);
  return number;
}

describe('a ported number', () => {
  it('domain 5.2: a ported number is in the network of its prefix, until a report names another one', async () => {
    const number = freshNumber(PLAN);
    await port(number, ORANGE_CI);
    expect(await quoteOtp(number)).toMatchObject({ credits: 4, network: 'moov_ci' });
    const first = await customer.sendSms({ phone_number: number });
    expect(first.json.credit_cost).toBe(4);
    await customer.smsWith('delivered', first.json.id);
    await untilIn('orange_ci', number);
    expect(await quoteSms(number)).toMatchObject({ credits: 9, network: 'orange_ci' });
    expect(await quoteOtp(number)).toMatchObject({ credits: 9, network: 'orange_ci' });
    // What was sent keeps its price and its network.
    const { json } = await customer.getSms(first.json.id);
    expect(json).toMatchObject({ credit_cost: 4, carrier: 'moov_ci' });
  });

  it('domain 5.2: a ported number has its network from the report of a one-time password, too', async () => {
    const number = freshNumber(PLAN);
    await port(number, ORANGE_CI);
    const first = await customer.sendOtp({ phone_number: number });
    expect(first.json.credit_cost).toBe(4);
    await untilIn('orange_ci', number);
    const second = await customer.sendOtp({ phone_number: number });
    expect(second.json.credit_cost).toBe(9);
  });

  it('domain 5.2: a ported number is priced and named by it in every kind of send, and charged so', async () => {
    const number = await portedNumber();
    const { json: otp } = await customer.sendOtp({ phone_number: number });
    const { json: sms } = await customer.sendSms({ phone_number: number });
    const message = { to: number, from: 'Acme', body: 'Hello' };
    const { json: single } = await customer.post('/v1/sms', message);
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const { json: scheduled } = await customer.post('/v1/sms', { ...message, send_at });
    const { json: batch } = await customer.post('/v1/sms/batch', { messages: [message] });
    const inBatch = batch.data[0].sms;
    expect([otp.credit_cost, sms.credit_cost]).toEqual([9, 9]);
    const ids: string[] = [sms, single, scheduled, inBatch].map(({ id }) => id);
    for (const id of ids) {
      const { json: record } = await customer.getSms(id);
      expect(record).toMatchObject({ carrier: 'orange_ci', cost: { amount_kobo: 900 } });
    }
    const charged = (await customer.ledger()).filter(
      ({ kind, message_id: id }) => kind === 'charge' && [otp.id, ...ids].includes(id as string),
    );
    expect(charged.map(({ credits }) => credits)).toEqual([-9, -9, -9, -9, -9]);
  });

  it('a ported number is that of its prefix in test mode', async () => {
    const number = await portedNumber();
    const body = { phone_number: number, message: 'Hi' };
    const { json: sms } = await customer.sendSms(body, { key: customer.testKey });
    const { json: record } = await customer.getSms(sms.id, { key: customer.testKey });
    expect(record.carrier).toBe('moov_ci');
    const asked = { key: customer.testKey };
    const { json } = await customer.post('/v1/quote', { kind: 'otp', phone_number: number }, asked);
    expect(json.network).toBe('moov_ci');
  });

  it('domain 5.2: a ported number is in the network of its prefix again, once a report agrees with it', async () => {
    const number = await portedNumber();
    await port(number, MOOV_CI);
    const { json: sms } = await customer.sendSms({ phone_number: number });
    expect(sms.credit_cost).toBe(9);
    await untilIn('moov_ci', number);
    expect((await customer.sendOtp({ phone_number: number })).json.credit_cost).toBe(4);
  });

  it('a ported number changes nothing in the public prices', async () => {
    const prices = async () => (await suite.http.get('/v1/pricing')).text;
    // A gateway shows a new list within a minute.
    const shown = await waitUntil(
      'one list on every gateway',
      async () => {
        const lists = new Set(await Promise.all(Array.from({ length: 8 }, prices)));
        return lists.size === 1 && [...lists][0]!.includes(ORANGE_CI) && lists;
      },
      { timeoutMs: 120_000, everyMs: 1_000 },
    );
    const [before = ''] = shown;
    await portedNumber();
    expect(await prices()).toBe(before);
    const { countries } = JSON.parse(before);
    const ivory = countries.find((one: { country_code: string }) => one.country_code === 'CI');
    expect(ivory).toMatchObject({ credits: 60, min_credits: 4, max_credits: 60, networks: RATES });
  });
});

describe('/operator/v1/prices', () => {
  it('decisions 16: an edit holds for sends within 5 s, rates of networks too', async () => {
    const costs = async (plan: 'IS' | 'CI-moov' | 'CI') =>
      (await customer.sendOtp({ phone_number: freshNumber(plan) })).json.credit_cost as number;
    const { json: prices } = await suite.operator.request('GET', '/prices');
    expect(await costs('IS')).toBe(120);
    const edited = structuredClone(prices);
    edited.countries.IS = { credits: 33, listed: false, networks: [] };
    edited.countries.CI.networks = [{ ...RATES[0], credits: 7 }];
    try {
      expect((await suite.operator.request('PUT', '/prices', edited)).status).toBe(200);
      await waitUntil('the new price', async () => (await costs('IS')) === 33, { everyMs: 200 });
      expect(await costs('CI-moov')).toBe(7);
      expect(await costs('CI')).toBe(60);
    } finally {
      await suite.operator.request('PUT', '/prices', prices);
    }
    await waitUntil('the old price', async () => (await costs('IS')) === 120, { everyMs: 200 });
  });
});
