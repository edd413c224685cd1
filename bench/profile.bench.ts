/**
 * Where Node spends its time, by part and by function itself: of one send, while gateway and billing accept as much as
 * they can; of one message on its whole way, in one process; or of one verification over 64 connections.
 *
 * `npm run bench -- profile`, `npm run bench -- profile chain`, `npm run bench -- profile verify`;
 * `BENCH_FLAME_GRAPH=<file>.svg` draws it as well.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delivered, onInstallation, targetOf } from './chain.bench.ts';
import { sendAll } from './cluster/sends.ts';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';
import { Ground } from './support/ground.ts';
import { measure } from './support/load.ts';
import { flameGraph } from './support/flame-graph.ts';
import { profilingOptions, samplesIn, type SelfTime, selfTimesIn } from './support/profile.ts';
import { deliveredOtps, verifiedPerSecond } from './verify.bench.ts';

const SECONDS = benchNumber('BENCH_SECONDS', 10);
const BURST = benchNumber('BENCH_BURST', 8_000);
const WORKSPACES = 100;
const WARM_UP_SECONDS = 4;
const WARM_UP = 4_000;
const SHOWN = 30;

/** What was done between two moments of `process.hrtime`, in µs. */
interface Done {
  count: number;
  unit: string;
  fromUs: number;
  toUs: number;
}

export async function profileBench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-profile-'));
  process.env['PRODUCT_NODE_OPTIONS'] = profilingOptions(directory);
  process.env['PROFILE'] = 'one process';
  try {
    // The process writes its profile when it ends, so all is closed before it is read.
    const done = await work();
    const samples = samplesIn(directory, done.fromUs, done.toUs);
    const { parts, functions } = selfTimesIn(samples);
    const perSecond = Math.round((1e6 * done.count) / (done.toUs - done.fromUs));
    console.log(`${perSecond} a second under the profiler; µs of ${done.unit}:`);
    const picture = process.env['BENCH_FLAME_GRAPH'];
    const title = `Node's main thread, by ${done.unit}: ${perSecond} a second under the profiler`;
    if (picture !== undefined) writeFileSync(picture, flameGraph(title, samples));
    print('part', parts, done.count);
    print('function', functions, done.count);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function work(): Promise<Done> {
  if (process.argv.includes('chain')) return wholeChain();
  return process.argv.includes('verify') ? verifying() : accepting();
}

async function accepting(): Promise<Done> {
  const ground = await Ground.open();
  try {
    const { url, keys } = await ground.product('gateway,billing', WORKSPACES);
    const path = '/v1/otp/send';
    const load = { url, path, keys, bodies: ['{"phone_number":"+234803%d"}'], connections: 64 };
    await measure({ ...load, seconds: WARM_UP_SECONDS });
    const fromUs = nowUs();
    const { perSecond } = await measure({ ...load, seconds: SECONDS });
    return { count: perSecond * SECONDS, unit: 'a send', fromUs, toUs: nowUs() };
  } finally {
    await ground.close();
  }
}

async function wholeChain(): Promise<Done> {
  let done: Done | undefined;
  await onInstallation(async (_ground, installation, receiver) => {
    const target = targetOf(installation);
    await delivered(receiver, await sendAll(target, WARM_UP));
    const fromUs = nowUs();
    await delivered(receiver, await sendAll(target, BURST));
    done = { count: BURST, unit: 'a message', fromUs, toUs: nowUs() };
  });
  return done!;
}

async function verifying(): Promise<Done> {
  const ground = await Ground.open();
  try {
    const ours = await ground.product('gateway,billing,dispatch', 1, { key: 'test_key' });
    await verifiedPerSecond(ours, await deliveredOtps(ours, WARM_UP));
    const otps = await deliveredOtps(ours, BURST);
    const fromUs = nowUs();
    await verifiedPerSecond(ours, otps);
    return { count: BURST, unit: 'a verification', fromUs, toUs: nowUs() };
  } finally {
    await ground.close();
  }
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

function print(of: string, times: readonly SelfTime[], count: number): void {
  const all = times.reduce((sum, { us }) => sum + us, 0);
  const row = ({ name, us }: SelfTime) => [
    name,
    (us / count).toFixed(1),
    `${((100 * us) / all).toFixed(1)} %`,
  ];
  const total: SelfTime = { name: 'all', us: all };
  printTable([of, 'µs', 'share'], [total, ...times.slice(0, SHOWN)].map(row));
}
