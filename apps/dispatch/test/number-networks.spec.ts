/** Networks of ported numbers, on a real database: learned from reports, asked by sends, purged. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type DeliveryReport, newId } from '@watchword/contracts';
import { DestinationStore } from '../src/registrations/do-not-disturb/destination.store.js';
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
  ])('is stored by the report of %s, and given to sends', async (_, command) => {
    const destination = freshNumber();
    expect(await judged(destination)).toBeNull();
    const received_at = later(0).toISOString();
    await reported(command({ destination }), { network: 'airtel_ng', received_at });
    expect(await judged(destination)).toBe('airtel_ng');
    expect(await rows(destination)).toEqual([{ network: 'airtel_ng', learned_at: later(0) }]);
  });

  it('domain 5.2: the network of a ported number leaves the message as it was sent and priced', async () => {
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
    expect(await judged(destination)).toBe('glo_ng');
  });

  it('is not written where the prefix has the same', async () => {
    const destination = freshNumber();
    await reported(smsCommand({ destination }), { network: 'mtn_ng' });
    expect(await rows(destination)).toEqual([]);
  });
});

describe('the row of a ported number', () => {
  it('holds for 90 days, and is then purged', async () => {
    const destination = freshNumber();
    const received_at = later(0).toISOString();
    await reported(smsCommand({ destination }), { network: 'glo_ng', received_at });
    expect(await judgedAt(destination, later(90 * DAY_MS - 1))).toBe('glo_ng');
    expect(await judgedAt(destination, later(90 * DAY_MS))).toBeNull();
    const store = new DestinationStore(kit.database.pool);
    await store.purge(later(90 * DAY_MS - 1), later(0));
    expect(await rows(destination)).toHaveLength(1);
    await store.purge(later(90 * DAY_MS), later(0));
    expect(await rows(destination)).toEqual([]);
  });

  it.each(['airtel_ng', 'mtn_ng'])('is not changed by an older report of %s', async (network) => {
    const destination = freshNumber();
    const named = { network: 'glo_ng', received_at: later(0).toISOString() };
    await reported(smsCommand({ destination }), named);
    const older = { network, received_at: later(-1).toISOString() };
    await reported(smsCommand({ destination }), older);
    expect(await rows(destination)).toEqual([{ network: 'glo_ng', learned_at: later(0) }]);
  });

  it('is renewed by the same network after a day, and changed at once by another one', async () => {
    const destination = freshNumber();
    const report = (network: string, ms: number) =>
      reported(smsCommand({ destination }), { network, received_at: later(ms).toISOString() });
    await report('glo_ng', 0);
    await report('glo_ng', DAY_MS - 1);
    expect(await rows(destination)).toEqual([{ network: 'glo_ng', learned_at: later(0) }]);
    await report('glo_ng', DAY_MS);
    expect(await rows(destination)).toEqual([{ network: 'glo_ng', learned_at: later(DAY_MS) }]);
    await report('airtel_ng', DAY_MS + 1);
    expect(await rows(destination)).toMatchObject([{ network: 'airtel_ng' }]);
  });

  it('is that of the last of many reports at once', async () => {
    const destination = freshNumber();
    const commands = [smsCommand({ destination }), smsCommand({ destination })];
    for (const command of commands) {
      await kit.send(command);
      await kit.until(command.message_id, 'sent');
    }
    const networks = ['glo_ng', 'airtel_ng'];
    const reports = commands.map(({ message_id: id }, index) =>
      kit.report(
        deliveryReport({
          provider_message_id: `africas_talking-${id}`,
          network: networks[index]!,
          received_at: later(1 - index).toISOString(),
        }),
      ),
    );
    await Promise.all(reports);
    expect(await rows(destination)).toMatchObject([{ network: 'glo_ng' }]);
  });
});
