/**
 * The cost of a message, checked by counts: statements, commits and bytes of the write-ahead log
 * are the same on a busy machine. The bounds leave room for other work (a job of the minute), but
 * not for one more statement per message. The figures are in
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
  toldByAll,
} from '../../bench/support/counts.ts';
import { Environment } from '../../bench/support/environment.ts';

/**
 * A message takes 7.8 statements and 9.7 commits on a busy machine. Some commits are of no statement
 * of the services.
 */
const ALONE_MAX = { statements: 8.7, commits: 10.6 };
/** A message takes 4.7 to 7.3 of each: a busy machine makes other batches. */
const FIFTY_A_SECOND_MAX = 8;
/** Bytes. A message takes 11 to 13 kB, without pages that a checkpoint writes whole. */
const WAL_BYTES_MAX = 18_000;
/** It makes 4.5 a second. */
const STATEMENTS_IDLE_MAX = 6;
/** Fsyncs a second: one in three seconds once the server has vacuumed; 1.3 before that. */
const FSYNCS_IDLE_MAX = 2;

/** Jobs notice that nothing is used. */
const IDLE_AFTER_SECONDS = 16;
const IDLE_SECONDS = 12;
const DELIVERED_WITHIN_MS = 20_000;

let environment: Environment;
let receiver: Receiver;
let installation: Installation;
let idle: Counts;

beforeAll(async () => {
  // Vacuums would be counted as commits.
  environment = await Environment.open({ ...COUNTING, autovacuum: 'off' });
  receiver = await Receiver.start();
  const replicas = { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 };
  const wanted = { name: 'one process', apart: false, replicas, workspaces: 4 };
  installation = await Installation.start(environment, { ...wanted, webhookUrl: receiver.url });
  await startCounting(installation);
  await delivered(await send(20, 3));
  // Otherwise the server does it meanwhile.
  await installation.query('VACUUM (ANALYZE)');
  await sleep(IDLE_AFTER_SECONDS * 1_000);
  const before = await countsOf(installation);
  await sleep(IDLE_SECONDS * 1_000);
  idle = countedBetween(before, await countsOf(installation));
});

afterAll(async () => {
  await installation?.close();
  await receiver?.close();
  await environment?.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function send(perSecond: number, seconds: number): Promise<Send[]> {
  const { urls, keys } = installation;
  return sendAtRate({ url: urls[0]!, keys }, perSecond, seconds);
}

async function delivered(sends: readonly Send[]): Promise<void> {
  const missing = () => sends.filter(({ id }) => !receiver.deliveredAt.has(id)).length;
  await eventually(() => expect(missing()).toBe(0), DELIVERED_WITHIN_MS);
}

interface Sent {
  messages: number;
  seconds: number;
  counts: Counts;
}

/** Counts until each webhook was posted. Commits are told later; until then the system rests. */
async function sent(perSecond: number, seconds: number): Promise<Sent> {
  const before = await countsOf(installation);
  const startedAt = performance.now();
  const sends = await send(perSecond, seconds);
  await delivered(sends);
  const took = (performance.now() - startedAt) / 1_000;
  const counts = countedBetween(before, await countsOf(installation));
  await toldByAll();
  const { commits } = countedBetween(before, await countsOf(installation));
  return { messages: sends.length, seconds: took, counts: { ...counts, commits } };
}

/** Returns what further messages cost: what a second in use costs anyway is in both. */
function costOfMore(few: Sent, many: Sent): Record<'statements' | 'commits', number> {
  const messages = many.messages - few.messages;
  return {
    statements: (many.counts.statements - few.counts.statements) / messages,
    commits: (many.counts.commits - few.counts.commits) / messages,
  };
}

describe('what a system does', () => {
  it('that nobody uses', () => {
    expect(idle.statements / IDLE_SECONDS).toBeLessThan(STATEMENTS_IDLE_MAX);
    expect(idle.fsyncs / IDLE_SECONDS).toBeLessThan(FSYNCS_IDLE_MAX);
  });

  it('for a message that comes alone, and for each of fifty messages a second', async () => {
    const few = await sent(1, 6);
    const alone = costOfMore(few, await sent(5, 6));
    const many = await sent(50, 6);
    const fifty = costOfMore(few, many);
    const walBytes = many.counts.walBytes / many.messages;
    expect(alone.statements).toBeLessThan(ALONE_MAX.statements);
    expect(alone.commits).toBeLessThan(ALONE_MAX.commits);
    expect(fifty.statements).toBeLessThan(FIFTY_A_SECOND_MAX);
    expect(fifty.commits).toBeLessThan(FIFTY_A_SECOND_MAX);
    expect(walBytes).toBeLessThan(WAL_BYTES_MAX);
  });
});
