/** Networks of ported numbers, on a real database: learned from reports, asked by sends, purged. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DeliveryReport, newId } from '@watchword/contracts';
import { NumberNetworkStore } from '../src/networks/number-network.store.js';
import { NumberNetworks } from '../src/networks/number-networks.js';
import type { TextCommand } from '../src/channels/text-channel.js';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { accepted } from './dispatch.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

const DAY_MS = 86_400_000;
const START_MS = Date.now();

useKit();
resetCarriers();

let last = 0;
/** A number of MTN, by its prefix. */
const freshNumber = () => `+234803${String((last += 1)).padStart(7, '0')}`;

const later = (ms: number) => new Date(START_MS + ms);

/** Sends the command, and has its carrier report it so. */
async function reported(command: TextCommand, change: Partial<DeliveryReport>): Promise<void> {
  const id = command.message_id;
  await kit.send(command);
  await kit.until(id, 'sent');
  const provider_message_id = `africas_talking-${id}`;
  await kit.report(deliveryReport({ provider_message_id, ...change }));
}

const asked = async (destination: string) => (await kit.calls.findNetwork({ destination })).network;

async function judged(destination: string): Promise<string | null | undefined> {
  const { findings } = await kit.calls.judgeDestinations({
    questions: [{ workspace_id: newId(), sender_id: null, country_code: 'NG', destination }],
  });
  return findings[0]?.network;
}

async function judgedAt(destination: string, at: Date): Promise<unknown> {
  const found = await kit.database.pool.query<{ network: string | null }>(
    'SELECT network FROM judge_numbers($1, $2, $3, $4, $5)',
    [[newId()], [null], ['NG'], [destination], at],
  );
  return found.rows[0]?.network;
}

async function rows(destination: string): Promise<Record<string, unknown>[]> {
  const found = await kit.database.pool.query<Record<string, unknown>>(
    'SELECT network, learned_at FROM number_networks WHERE destination = $1',
    [destination],
  );
  return found.rows;
}

describe('the network of a ported number', () => {
  it.each([
    ['an SMS', smsCommand],
    ['a one-time password', otpCommand],
  ])('is kept by the report of %s, and told to sends', async (_, command) => {
    const destination = freshNumber();
    expect(await asked(destination)).toBeNull();
    expect(await judged(destination)).toBeNull();
    const received_at = later(0).toISOString();
    await reported(command({ destination }), { network: 'airtel_ng', received_at });
    expect(await asked(destination)).toBe('airtel_ng');
    expect(await judged(destination)).toBe('airtel_ng');
    expect(await rows(destination)).toEqual([{ network: 'airtel_ng', learned_at: later(0) }]);
  });

  it('domain 5.2: leaves the message as it was sent and priced', async () => {
    const command = smsCommand({ destination: freshNumber() });
    await reported(command, { network: 'airtel_ng' });
    expect(await kit.stored(command.message_id)).toMatchObject({
      state: 'delivered',
      network: 'mtn_ng',
      credits: command.credits,
      price_rule: command.price_rule,
    });
  });

  it('ends when a later report agrees with the prefix', async () => {
    const destination = freshNumber();
    await reported(smsCommand({ destination }), { network: 'airtel_ng' });
    expect(await rows(destination)).toHaveLength(1);
    await reported(otpCommand({ destination }), { network: 'mtn_ng' });
    expect(await rows(destination)).toEqual([]);
  });

  it('is learned from a report that overtook the answer to the submit', async () => {
    const destination = freshNumber();
    const command = smsCommand({ destination });
    let report: Promise<void> | undefined;
    kit.africasTalking.answer = async ({ messageId }) => {
      const provider_message_id = `quick-${messageId}`;
      const named = { provider_message_id, destination, network: 'glo_ng' };
      report = kit.report(deliveryReport(named));
      await setImmediate();
      return accepted(provider_message_id);
    };
    await kit.send(command);
    await kit.until(command.message_id, 'delivered');
    await report;
    expect(await asked(destination)).toBe('glo_ng');
  });

  it('is not written where the prefix told it', async () => {
    const destination = freshNumber();
    await reported(smsCommand({ destination }), { network: 'mtn_ng' });
    expect(await rows(destination)).toEqual([]);
  });
});

describe('what is kept', () => {
  let store: NumberNetworkStore;
  beforeEach(() => {
    store = new NumberNetworkStore(kit.database.pool);
  });

  it('is told in the order of the numbers', async () => {
    const [one, other, third] = [freshNumber(), freshNumber(), freshNumber()];
    await store.write([
      { destination: one, network: 'glo_ng', at: later(0) },
      { destination: third, network: 'airtel_ng', at: later(0) },
    ]);
    const asking = [third, other, one, third];
    expect(await store.find(asking, later(0))).toEqual(['airtel_ng', null, 'glo_ng', 'airtel_ng']);
  });

  it('is told to all sends for 90 days, then purged', async () => {
    const destination = freshNumber();
    await store.write([{ destination, network: 'glo_ng', at: later(0) }]);
    const told = async (at: Date) => [
      ...(await store.find([destination], at)),
      await judgedAt(destination, at),
    ];
    expect(await told(later(90 * DAY_MS - 1))).toEqual(['glo_ng', 'glo_ng']);
    expect(await told(later(90 * DAY_MS))).toEqual([null, null]);
    await store.refresh(later(90 * DAY_MS - 1), later(0), 1);
    expect(await rows(destination)).toHaveLength(1);
    await store.refresh(later(90 * DAY_MS), later(0), 1);
    expect(await rows(destination)).toEqual([]);
  });

  it('is not changed nor ended by an older report', async () => {
    const destination = freshNumber();
    await store.write([{ destination, network: 'glo_ng', at: later(0) }]);
    await store.write([{ destination, network: 'airtel_ng', at: later(-1) }]);
    await store.write([{ destination, network: null, at: later(-1) }]);
    expect(await store.find([destination], later(0))).toEqual(['glo_ng']);
    await store.write([{ destination, network: null, at: later(0) }]);
    expect(await store.find([destination], later(0))).toEqual([null]);
  });

  it('is known to a process that did not learn it', async () => {
    const destination = freshNumber();
    await store.write([{ destination, network: 'glo_ng', at: later(0) }]);
    const networks = new NumberNetworks(store);
    const message = { destination, testMode: false, countryCode: 'NG', network: 'mtn_ng' };
    const agreeing = deliveryReport({ network: 'mtn_ng', received_at: later(1).toISOString() });
    expect(networks.learn(message, agreeing)).toBeUndefined();
    await networks.refresh(later(0));
    await networks.learn(message, agreeing);
    expect(await rows(destination)).toEqual([]);
    expect(networks.learn(message, agreeing)).toBeUndefined();
  });

  it('is the last of many reports at once', async () => {
    const destination = freshNumber();
    const networks = new NumberNetworks(store);
    const message = { destination, testMode: false, countryCode: 'NG', network: 'mtn_ng' };
    const reports = [
      deliveryReport({ network: 'glo_ng', received_at: later(2).toISOString() }),
      deliveryReport({ network: 'airtel_ng', received_at: later(1).toISOString() }),
    ];
    await Promise.all(reports.map((one) => networks.learn(message, one)));
    expect(await store.find([destination], later(0))).toEqual(['glo_ng']);
    // The process knows it, so that the same report writes nothing.
    expect(networks.learn(message, reports[0]!)).toBeUndefined();
  });
});
