/**
 * The cost of a message, checked by counts: statements, commits and bytes of the write-ahead log
 * are the same on a busy machine. The bounds leave room for other work (a vacuum, a job of the
 * minute), but not for one more statement per message. The figures are in
 * docs/internals/performance.md.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { Installation } from '../../bench/cluster/installation.ts';
import { Receiver } from '../../bench/cluster/receiver.ts';
import { type Send, sendAtRate } from '../../bench/cluster/sends.ts';
import {
  type Counts,
  countedBetween,
  COUNTING,
  countsOf,
  startCounting,
} from '../../bench/support/counts.ts';
import { Ground } from '../../bench/support/ground.ts';

/** A message takes 7. */
const STATEMENTS_ALONE_MAX = 11;
/** Statements of a second with sends, besides those of an idle one: leases are renewed. */
const STATEMENTS_IN_USE = 4.5;
/** Bytes. A message takes 15 to 18 kB, without pages that a checkpoint writes whole. */
const WAL_BYTES_MAX = 40_000;
/** It makes 2.5 a second. */
const STATEMENTS_IDLE_MAX = 4;
/** Fsyncs a second: one in three seconds once the server has vacuumed; 1.3 before that. */
const FSYNCS_IDLE_MAX = 2;

/** Leases end, and jobs notice that nothing is used. */
const IDLE_AFTER_SECONDS = 16;
const IDLE_SECONDS = 12;
const DELIVERED_WITHIN_MS = 20_000;

let ground: Ground;
let receiver: Receiver;
let installation: Installation;
let idle: Counts;

beforeAll(async () => {
  ground = await Ground.open(COUNTING);
  receiver = await Receiver.start();
  const replicas = { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 };
  const wanted = { name: 'one process', apart: false, replicas, workspaces: 4 };
  installation = await Installation.start(ground, { ...wanted, webhookUrl: receiver.url });
  await startCounting(installation);
  await delivered(await send(20, 3));
  // Otherwise the server does it meanwhile.
  await installation.query('VACUUM (ANALYZE)');
  await sleep(IDLE_AFTER_SECONDS * 1_000);
  const before = await countsOf(installation);
  await sleep(IDLE_SECONDS * 1_000);
  idle = countedBetween(before, await countsOf(installation));
}, 120_000);

afterAll(async () => {
  await installation?.close();
  await receiver?.close();
  await ground?.close();
}, 60_000);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function send(perSecond: number, seconds: number): Promise<Send[]> {
  const { urls, keys } = installation;
  return sendAtRate({ url: urls[0]!, keys }, perSecond, seconds);
}

async function delivered(sends: readonly Send[]): Promise<void> {
  const missing = () => sends.filter(({ id }) => !receiver.deliveredAt.has(id)).length;
  await eventually(() => expect(missing()).toBe(0), DELIVERED_WITHIN_MS);
}

/**
 * Returns the cost of each message until its webhook was posted, less what a second costs anyway.
 */
async function costOf(perSecond: number, seconds: number) {
  const before = await countsOf(installation);
  const startedAt = performance.now();
  const sends = await send(perSecond, seconds);
  await delivered(sends);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const share = tookSeconds / IDLE_SECONDS;
  const counted = countedBetween(before, await countsOf(installation));
  const beside = idle.statements * share + STATEMENTS_IN_USE * tookSeconds;
  return {
    statements: (counted.statements - beside) / sends.length,
    walBytes: (counted.walBytes - idle.walBytes * share) / sends.length,
  };
}

describe('what a system does', () => {
  it('that nobody uses', () => {
    expect(idle.statements / IDLE_SECONDS).toBeLessThan(STATEMENTS_IDLE_MAX);
    expect(idle.fsyncs / IDLE_SECONDS).toBeLessThan(FSYNCS_IDLE_MAX);
  });

  it('for a message that comes alone', async () => {
    const { statements } = await costOf(2, 6);
    expect(statements).toBeLessThan(STATEMENTS_ALONE_MAX);
  }, 60_000);

  it('for each of fifty messages a second', async () => {
    const { statements, walBytes } = await costOf(50, 5);
    expect(statements).toBeLessThan(STATEMENTS_ALONE_MAX);
    expect(walBytes).toBeLessThan(WAL_BYTES_MAX);
  }, 60_000);
});
