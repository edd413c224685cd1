import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageId, SendMessage } from '@watchword/contracts';
import { eventually, lockAwaited, waitUntil } from '@watchword/testing';
import {
  LineCarrierAdapter,
  LineCarrierPeer,
} from '../../../libs/carriers/test/line-carrier.kit.js';
import { ParkedReportStore } from '../src/receipts/parked-report.store.js';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';

const DAY_MS = 86_400_000;

/** A carrier with its own connection: it reports there, and each part of a message by itself. */
let peer: LineCarrierPeer;
let kit: Kit;

beforeEach(async () => {
  peer = new LineCarrierPeer();
  await peer.listen();
  kit = await startKit({ first: new LineCarrierAdapter('africas_talking', peer.address) });
});
afterEach(async () => {
  await kit.close();
  await peer.close();
});

async function send(change: Partial<SendMessage> = {}): Promise<string> {
  const command = smsCommand(change);
  await kit.send(command);
  return command.message_id;
}

/** Sends a message of this many parts. Returns its id and those of the parts. */
async function sent(segments: number): Promise<[id: string, ...parts: string[]]> {
  const id = await send({ segments });
  await kit.until(id, 'sent');
  return [id, ...peer.submits.at(-1)!];
}

const recorded = () => eventually(() => expect(peer.unacknowledged).toEqual([]));
const stateOf = async (id: string) => (await kit.stored(id))['state'];

async function attemptOf(id: string): Promise<Record<string, unknown>> {
  const { rows } = await kit.database.pool.query(
    'SELECT provider, provider_message_id, parts FROM attempts WHERE message_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as Record<string, unknown>;
}

describe('a message of several parts', () => {
  it('is delivered when all parts are, in any order and however often they are reported', async () => {
    const [id, first, second, third] = await sent(3);
    peer.report(third!, 'delivered');
    await recorded();
    peer.report(third!, 'delivered');
    peer.report(first!, 'enroute');
    await recorded();
    peer.report(first!, 'delivered');
    await recorded();
    expect(await stateOf(id)).toBe('sent');
    expect(await attemptOf(id)).toMatchObject({
      provider_message_id: first,
      parts: { ids: [first, second, third], delivered: [third, first] },
    });
    peer.report(second!, 'delivered');
    await kit.until(id, 'delivered');
    expect((await kit.events(id)).map(({ type }) => type)).toEqual([
      'message.sent',
      'message.delivered',
    ]);
  });

  it('fails with one part', async () => {
    const [id, first, second] = await sent(2);
    peer.report(first!, 'delivered');
    await recorded();
    peer.report(second!, 'failed');
    await kit.until(id, 'failed');
    expect(await kit.stored(id)).toMatchObject({ reason: 'unknown_subscriber' });
    expect(await kit.refundCommands()).toMatchObject([{ message_id: id }]);
  });

  it('is found by any part, by a process that does not remember it', async () => {
    const [id, ...parts] = await sent(2);
    await kit.restart();
    for (const part of parts.toReversed()) {
      const named = { provider_message_id: part, part: { id: part, count: null } };
      await kit.report(deliveryReport(named));
    }
    await kit.until(id, 'delivered');
  });

  it('is not delivered by ids that its answer does not name', async () => {
    const [id, ...parts] = await sent(2);
    for (const part of ['another', 'a third']) {
      const foreign = { provider_message_id: part, part: { id: part, count: null } };
      await kit.report(deliveryReport({ ...foreign, message_id: id as MessageId, attempt: 1 }));
    }
    expect(await stateOf(id)).toBe('sent');
    for (const part of parts) peer.report(part, 'delivered');
    await kit.until(id, 'delivered');
    expect(await attemptOf(id)).toMatchObject({ parts: { delivered: parts } });
  });

  it('is not looked for any more after forty days', async () => {
    await sent(2);
    const store = new ParkedReportStore(kit.database.pool);
    const left = async () => {
      const { rows } = await kit.database.pool.query('SELECT FROM attempt_parts');
      return rows.length;
    };
    await store.purge(new Date(Date.now() + 39 * DAY_MS));
    expect(await left()).toBe(2);
    const after = new Date(Date.now() + 41 * DAY_MS);
    expect(await store.purge(after)).toBe(false);
    expect(await left()).toBe(0);

    await kit.database.pool.query(
      `INSERT INTO attempt_parts (provider_message_id, provider, message_id)
       SELECT n, 'africas_talking', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid
       FROM generate_series(1, 10001) AS n`,
    );
    expect(await store.purge(after)).toBe(true);
    expect(await left()).toBe(1);
    expect(await store.purge(after)).toBe(false);
  });

  it('takes reports that overtake the answer', async () => {
    peer.isMute = true;
    const id = await send({ segments: 2 });
    await waitUntil('the carrier has it', async () => peer.submits.length === 1 || undefined);
    const [first, second] = peer.submits[0]!;
    peer.report(first!, 'delivered');
    peer.report(second!, 'delivered');
    await recorded();
    expect(await stateOf(id)).toBe('accepted');
    peer.answer();
    await kit.until(id, 'delivered');
  });
});

it('a message of one part costs no row of parts', async () => {
  const [id, only] = await sent(1);
  peer.report(only!, 'delivered');
  await kit.until(id, 'delivered');
  expect(await attemptOf(id)).toEqual({
    provider: 'africas_talking',
    provider_message_id: only,
    parts: null,
  });
  const { rows } = await kit.database.pool.query('SELECT FROM attempt_parts');
  expect(rows).toEqual([]);
});

it('a report is acknowledged once the database has it', async () => {
  const [id, only] = await sent(1);
  await kit.database.pool.transaction(async (holder) => {
    await holder.query('SELECT FROM messages WHERE id = $1 FOR UPDATE', [id]);
    peer.report(only!, 'delivered');
    await lockAwaited(kit.database.pool);
    expect(peer.unacknowledged).toEqual([only]);
  });
  await recorded();
  await kit.until(id, 'delivered');
});

it('an account that has lost its connection gets no message while another one is left', async () => {
  await peer.goAway();
  const shown = async () =>
    (await kit.calls.listCarriers({})).carriers.find(({ id }) => id === 'africas_talking');
  await eventually(async () => {
    expect(await shown()).toMatchObject({ circuit: 'open', reason: 'provider_unavailable' });
  });
  const away = await send();
  await kit.until(away, 'sent');
  expect(await attemptOf(away)).toMatchObject({ provider: 'twilio' });

  await peer.listen();
  await eventually(async () => expect(await shown()).toMatchObject({ circuit: 'closed' }));
  const [back] = await sent(1);
  expect(await attemptOf(back)).toMatchObject({ provider: 'africas_talking' });
});
