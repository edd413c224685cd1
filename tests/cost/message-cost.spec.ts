/**
 * The cost of a message, checked by counts: statements and bytes of the write-ahead log are the same on a busy
 * machine. The bounds leave room for other work (a job of the minute), but not for one more statement per message.
 * The figures are in docs/internals/performance.md; `npm run bench -- chain` shows those of an idle system.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { Installation } from '../../bench/cluster/installation.ts';
import { Receiver } from '../../bench/cluster/receiver.ts';
import { sendAtRate } from '../../bench/cluster/sends.ts';
import {
  type Counts,
  countedBetween,
  COUNTING,
  countsOf,
  startCounting,
} from '../../bench/support/counts.ts';
import { Environment } from '../../bench/support/environment.ts';

/** A message takes 10.7 to 11.3 statements on a busy machine, with the deletes of its rows in the queues. */
const ALONE_MAX = 12.5;
/** A message takes 4.7 to 7.9: a busy machine makes other batches. */
const FIFTY_A_SECOND_MAX = 9;
/** Bytes. A message takes 11 to 13 kB, without pages that a checkpoint writes whole. */
const WAL_BYTES_MAX = 18_000;
const SECONDS = 6;

let environment: Environment;
let receiver: Receiver;
let installation: Installation;

beforeAll(async () => {
  environment = await Environment.open({ ...COUNTING, autovacuum: 'off' });
  receiver = await Receiver.start();
  const replicas = { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 };
  const wanted = { name: 'one process', apart: false, replicas, workspaces: 4 };
  installation = await Installation.start(environment, { ...wanted, webhookUrl: receiver.url });
  await startCounting(installation);
  await sent(20);
});

afterAll(async () => {
  await installation?.close();
  await receiver?.close();
  await environment?.close();
});

interface Sent {
  messages: number;
  counts: Counts;
}

/** Counts until each webhook was posted. */
async function sent(perSecond: number): Promise<Sent> {
  const { urls, keys } = installation;
  const before = await countsOf(installation);
  const sends = await sendAtRate({ url: urls[0]!, keys }, perSecond, SECONDS);
  const missing = () => sends.filter(({ id }) => !receiver.deliveredAt.has(id)).length;
  await eventually(() => expect(missing()).toBe(0));
  return { messages: sends.length, counts: countedBetween(before, await countsOf(installation)) };
}

/** Returns the statements of a further message: those of a second in use are in both. */
function statementsOfMore(few: Sent, many: Sent): number {
  return (many.counts.statements - few.counts.statements) / (many.messages - few.messages);
}

it('a message costs a bounded number of statements and bytes of the write-ahead log', async () => {
  const few = await sent(1);
  expect(statementsOfMore(few, await sent(5))).toBeLessThan(ALONE_MAX);
  const many = await sent(50);
  expect(statementsOfMore(few, many)).toBeLessThan(FIFTY_A_SECOND_MAX);
  expect(many.counts.walBytes / many.messages).toBeLessThan(WAL_BYTES_MAX);
});
