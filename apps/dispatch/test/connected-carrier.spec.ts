import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { SendMessage } from '@watchword/contracts';
import { eventually, lockAwaited, waitUntil } from '@watchword/testing';
import {
  LineCarrierAdapter,
  LineCarrierPeer,
} from '../../../libs/carriers/test/line-carrier.kit.js';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';

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

it('a message of several parts is delivered when all parts are, in any order and reported any number of times', async () => {
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

it('a message of several parts fails when one part fails', async () => {
  const [id, first, second] = await sent(2);
  peer.report(first!, 'delivered');
  await recorded();
  peer.report(second!, 'failed');
  await kit.until(id, 'failed');
  expect(await kit.stored(id)).toMatchObject({ reason: 'unknown_subscriber' });
  expect(await kit.refundCommands()).toMatchObject([{ message_id: id }]);
});

it('a process that did not send a message of several parts finds it by any part', async () => {
  const [id, ...parts] = await sent(2);
  await kit.restart();
  for (const part of parts.toReversed()) {
    const named = { provider_message_id: part, part: { id: part, count: null } };
    await kit.report(deliveryReport(named));
  }
  await kit.until(id, 'delivered');
});

it('a message of several parts accepts reports that overtake the answer', async () => {
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

it('a delivery report is acknowledged once it is in the database', async () => {
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
