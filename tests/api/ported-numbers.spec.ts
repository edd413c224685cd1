/**
 * Ported numbers: the network that a delivery report names prices and names the next sends. Domain
 * facts 5.2. On a separate system, because it sets prices of networks.
 */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from '../support/agent.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, UNLIMITED_OTPS, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem(startOwnSystem);
let customer: Customer;

/** Rates of Nigeria; its numbers of these tests are MTN's by their prefix. Kenya has none. */
const RATES = [
  { name: 'MTN', mcc_mnc: ['62130'], credits: 4 },
  { name: 'Airtel', mcc_mnc: ['62120'], credits: 9 },
];
const AIRTEL_NG = '62120';
const AIRTEL_KE = '63903';

beforeAll(async () => {
  customer = await suite.customer({ credits: 10_000, settings: UNLIMITED_OTPS });
  const { json: prices } = await suite.operator.request('GET', '/prices');
  prices.countries.NG.networks = RATES;
  const { status } = await suite.operator.request('PUT', '/prices', prices);
  expect(status).toBe(200);
  // Each replica of billing reads the list when it is due.
  await waitUntil('the rates of networks', async () => {
    const sent = await Promise.all(Array.from({ length: 8 }, () => customer.sendOtp()));
    return sent.every(({ json }) => json.credit_cost === 4);
  });
});

afterEach(() => suite.system.simulator.request('DELETE', '/_simulator/scenarios'));

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

/** A number that an SMS has shown to be Airtel's. */
async function portedNumber(): Promise<string> {
  const number = freshNumber('NG');
  await port(number, AIRTEL_NG);
  await customer.sendSms({ phone_number: number });
  await untilIn('airtel_ng', number);
  return number;
}

describe('a ported number', () => {
  it('is in the network of its prefix, until a report names another one', async () => {
    const number = freshNumber('NG');
    await port(number, AIRTEL_NG);
    expect(await quoteOtp(number)).toMatchObject({ credits: 4, network: 'mtn_ng' });
    const first = await customer.sendSms({ phone_number: number });
    expect(first.json.credit_cost).toBe(4);
    await customer.smsWith('delivered', first.json.id);
    await untilIn('airtel_ng', number);
    expect(await quoteSms(number)).toMatchObject({ credits: 9, network: 'airtel_ng' });
    expect(await quoteOtp(number)).toMatchObject({ credits: 9, network: 'airtel_ng' });
    // What was sent keeps its price and its network.
    const { json } = await customer.getSms(first.json.id);
    expect(json).toMatchObject({ credit_cost: 4, carrier: 'mtn_ng' });
  });

  it('has its network from the report of a one-time password, too', async () => {
    const number = freshNumber('NG');
    await port(number, AIRTEL_NG);
    const first = await customer.sendOtp({ phone_number: number });
    expect(first.json.credit_cost).toBe(4);
    await untilIn('airtel_ng', number);
    const second = await customer.sendOtp({ phone_number: number });
    expect(second.json.credit_cost).toBe(9);
  });

  it('is priced and named by it in every kind of send, and charged so', async () => {
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
      expect(record).toMatchObject({ carrier: 'airtel_ng', cost: { amount_kobo: 900 } });
    }
    const charged = (await customer.ledger()).filter(
      ({ kind, message_id: id }) => kind === 'charge' && [otp.id, ...ids].includes(id as string),
    );
    expect(charged.map(({ credits }) => credits)).toEqual([-9, -9, -9, -9, -9]);
  });

  it('is priced by it in a dry run of an agent', async () => {
    const number = await portedNumber();
    const agent = await Agent.of(suite, customer);
    const dry = await agent.call('send_otp', { phone_number: number, dry_run: true });
    expect(dry.body).toMatchObject({ credits: 9, network: 'airtel_ng' });
    await agent.client.close();
  });

  it('is that of its prefix in test mode', async () => {
    const number = await portedNumber();
    const body = { phone_number: number, message: 'Hi' };
    const { json: sms } = await customer.sendSms(body, { key: customer.testKey });
    const { json: record } = await customer.getSms(sms.id, { key: customer.testKey });
    expect(record.carrier).toBe('mtn_ng');
    const asked = { key: customer.testKey };
    const { json } = await customer.post('/v1/quote', { kind: 'otp', phone_number: number }, asked);
    expect(json.network).toBe('mtn_ng');
  });

  it('is in the network of its prefix again, once a report agrees with it', async () => {
    const number = await portedNumber();
    await suite.system.simulator.request('DELETE', '/_simulator/scenarios');
    const { json: sms } = await customer.sendSms({ phone_number: number });
    expect(sms.credit_cost).toBe(9);
    await untilIn('mtn_ng', number);
    expect((await customer.sendOtp({ phone_number: number })).json.credit_cost).toBe(4);
  });

  it('is named by it where its country has no rates by network', async () => {
    const number = freshNumber('KE');
    await port(number, AIRTEL_KE);
    const first = await customer.sendOtp({ phone_number: number });
    expect(first.json.credit_cost).toBe(12);
    await untilIn('airtel_ke', number);
    const { json: sms } = await customer.sendSms({ phone_number: number });
    expect(sms.credit_cost).toBe(12);
    expect((await customer.getSms(sms.id)).json.carrier).toBe('airtel_ke');
  });

  it('changes nothing in the public prices', async () => {
    const prices = async () => (await suite.http.get('/v1/pricing')).text;
    const before = await prices();
    await portedNumber();
    expect(await prices()).toBe(before);
    const { countries } = JSON.parse(before);
    const nigeria = countries.find((one: { country_code: string }) => one.country_code === 'NG');
    expect(nigeria).toMatchObject({ credits: 5, min_credits: 4, max_credits: 9, networks: RATES });
  });
});
