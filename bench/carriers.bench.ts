/**
 * Accepted sends a second while every carrier takes two seconds, against quick carriers, alternating on one
 * installation: acceptance must not wait for a carrier. Between two rounds everything that was sent is handed over.
 */
import { eventually } from '@watchword/testing';
import { request } from 'undici';
import { Installation } from './cluster/installation.ts';
import { benchNumber } from './support/bench-number.ts';
import { Environment } from './support/environment.ts';
import { median, printTable } from './support/figures.ts';
import { generator, type Measured, measure } from './support/load.ts';
import { machine } from './support/processor-time.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 5);
const SLOW_MS = 2_000;
const CONNECTIONS = 64;
const WORKSPACES = 100;
const drainTimeoutMs = 300_000;

export async function carriersBench(): Promise<void> {
  console.log(machine());
  const environment = await Environment.open();
  let installation: Installation | undefined;
  try {
    installation = await Installation.start(environment, {
      name: 'one process',
      apart: false,
      replicas: { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 },
      workspaces: WORKSPACES,
    });
    await round(installation, 0);
    const [quick, slow]: [Measured[], Measured[]] = [[], []];
    for (let count = 0; count < ROUNDS; count += 1) {
      quick.push(await round(installation, 0));
      slow.push(await round(installation, SLOW_MS));
    }
    print(quick, slow);
  } finally {
    await installation?.close();
    await environment.close();
  }
}

async function round(installation: Installation, delayMs: number): Promise<Measured> {
  await delayAnswers(installation, delayMs);
  const measured = await measure({
    url: installation.urls[0]!,
    path: '/v1/otp/send',
    keys: installation.keys,
    bodies: ['{"phone_number":"+234803%d"}'],
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  await delayAnswers(installation, 0);
  await eventually(() => isDrained(installation), drainTimeoutMs, 200);
  return measured;
}

async function delayAnswers({ simulatorUrl }: Installation, delayMs: number): Promise<void> {
  const url = `${simulatorUrl}/_simulator/scenarios`;
  await (await request(url, { method: 'DELETE' })).body.dump();
  if (delayMs === 0) return;
  const body = JSON.stringify({ submit: { kind: 'accept', delay_ms: delayMs } });
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', headers, body });
  if (answer.statusCode !== 201) throw new Error(await answer.body.text());
  await answer.body.dump();
}

async function isDrained(installation: Installation): Promise<void> {
  const [left] = await installation.query<{ queued: boolean; open: boolean }>(
    `SELECT EXISTS (SELECT FROM billing.message_queue) AS queued,
            EXISTS (SELECT FROM dispatch.messages WHERE state = 'accepted') AS open`,
  );
  if (left!.queued || left!.open) throw new Error('messages are still on their way');
}

function print(quick: readonly Measured[], slow: readonly Measured[]): void {
  const row = (name: string, of: readonly Measured[]) => [
    name,
    Math.round(median(of.map(({ perSecond }) => perSecond))),
    median(of.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(of.map(({ p99Ms }) => p99Ms)).toFixed(1),
    of.reduce((sum, { failed }) => sum + failed, 0),
  ];
  const ratio = (of: (one: Measured) => number) =>
    `${median(slow.map((one, index) => of(one) / of(quick[index]!))).toFixed(2)}x`;
  const ratios = [ratio(({ perSecond }) => perSecond), ratio(({ p99Ms }) => p99Ms)];
  console.log(`${generator}, ${CONNECTIONS} connections, ${ROUNDS} pairs of ${SECONDS} s`);
  printTable(
    ['carriers', 'accepted/s', 'p50 ms', 'p99 ms', 'failed', 'ratio', 'p99 ratio'],
    [
      [...row('quick', quick), '', ''],
      [...row(`${SLOW_MS / 1_000} s`, slow), ...ratios],
    ],
  );
  console.log('Goals: 0.9x, p99 1.5x.');
}
