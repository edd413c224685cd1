/**
 * Closed-loop load with wrk where it is installed (it takes less of the two cores), else autocannon.
 * Every request has its own key, number and, if asked, Idempotency-Key.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface Load {
  url: string;
  path: string;
  /** API keys, used in turn. */
  keys: string[];
  /** Bodies, used in turn; `%d` becomes a running number of seven digits. */
  bodies: string[];
  idempotencyKeys?: boolean;
  connections: number;
  seconds: number;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and broken connections. */
  failed: number;
}

const run = promisify(execFile);

export const generator = hasWrk() ? 'wrk' : 'autocannon';

function hasWrk(): boolean {
  try {
    execFileSync('which', ['wrk']);
    return true;
  } catch {
    return false;
  }
}

let runs = 0;

export function measure(load: Load): Promise<Measured> {
  runs += 1;
  return generator === 'wrk' ? withWrk(load) : withAutocannon(load);
}

async function withWrk(load: Load): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
  const script = join(directory, 'load.lua');
  writeFileSync(script, luaScript(load));
  const { stdout } = await run(
    'wrk',
    ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url],
    { maxBuffer: 1 << 20 },
  );
  rmSync(directory, { recursive: true });
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`wrk printed no figures:\n${stdout}`);
  return JSON.parse(line) as Measured;
}

export interface Round {
  url: string;
  path: string;
  key: string;
  /** Each is sent once, except for the last few that may be running at the end of the round. */
  bodies: string[];
  connections: number;
}

/** The rate at which each body was answered once. Throws where an answer was none of success. */
export async function ratePerSecond(round: Round): Promise<number> {
  const counted = round.bodies.length - round.connections;
  if (generator !== 'wrk') return counted / (await secondsWithAutocannon(round, counted));
  const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
  const script = join(directory, 'round.lua');
  writeFileSync(script, roundScript(round, counted));
  const args = [
    '-t1',
    `-c${round.connections}`,
    `-d${ROUND_SECONDS_MAX}s`,
    '-s',
    script,
    round.url,
  ];
  const { stdout } = await run('wrk', args, { maxBuffer: 1 << 20 });
  rmSync(directory, { recursive: true });
  const seconds = Number(/^seconds (\S+)$/m.exec(stdout)?.[1]);
  if (!(seconds > 0)) throw new Error(`the round did not end well:\n${stdout}`);
  return counted / seconds;
}

const ROUND_SECONDS_MAX = 120;

/** wrk runs for a time; this one ends it when all is answered. */
function roundScript({ path, key, bodies }: Round, counted: number): string {
  return `
local ffi = require("ffi")
ffi.cdef[[ typedef struct { long s; long ns; } moment; int clock_gettime(int clock, moment* now); ]]
local function now()
  local at = ffi.new("moment")
  ffi.C.clock_gettime(1, at)
  return tonumber(at.s) + tonumber(at.ns) / 1e9
end
local bodies = {${bodies.map(quoted).join(',')}}
local headers = { ["content-type"] = "application/json", ["authorization"] = "Bearer ${key}" }
local sent, answered, started = 0, 0, nil
request = function()
  started = started or now()
  sent = sent + 1
  return wrk.format("POST", ${quoted(path)}, headers, bodies[(sent - 1) % #bodies + 1])
end
response = function(status)
  if status ~= 200 then
    io.write("status " .. status .. "\\n")
    os.exit(0)
  end
  answered = answered + 1
  if answered == ${counted} then
    io.write(string.format("seconds %.6f\\n", now() - started))
    os.exit(0)
  end
end
`;
}

async function secondsWithAutocannon(
  { url, path, key, bodies, connections }: Round,
  amount: number,
): Promise<number> {
  const waiting = [...bodies];
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const started = performance.now();
  let last = started;
  const running = autocannon({
    url,
    connections,
    amount,
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: (request) => ({ ...request, headers, body: waiting.pop() ?? '' }),
      },
    ],
  });
  // autocannon itself ends at a full second.
  (running as unknown as NodeJS.EventEmitter).on('response', () => (last = performance.now()));
  const { non2xx, errors } = await running;
  if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} broken`);
  return (last - started) / 1_000;
}

const quoted = (text: string): string => `[==[${text}]==]`;

function luaScript(load: Load): string {
  return `
local keys = {${load.keys.map(quoted).join(',')}}
local bodies = {${load.bodies.map(quoted).join(',')}}
local n = 0
request = function()
  n = n + 1
  local headers = {
    ["content-type"] = "application/json",
    ["authorization"] = "Bearer " .. keys[n % #keys + 1],
  }
  ${load.idempotencyKeys ? `headers["idempotency-key"] = "bench-${process.pid}-${runs}-" .. n` : ''}
  local body = string.gsub(bodies[n % #bodies + 1], "%%d", string.format("%07d", n % 10000000))
  return wrk.format("POST", ${quoted(load.path)}, headers, body)
end
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '{"perSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\\n',
    (summary.requests - e.status) * 1e6 / summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

async function withAutocannon(load: Load): Promise<Measured> {
  let n = 0;
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests: [
      {
        method: 'POST',
        path: load.path,
        setupRequest: (request) => {
          n += 1;
          return {
            ...request,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${load.keys[n % load.keys.length]}`,
              ...(load.idempotencyKeys
                ? { 'idempotency-key': `bench-${process.pid}-${runs}-${n}` }
                : {}),
            },
            body: (load.bodies[n % load.bodies.length] ?? '').replace(
              '%d',
              String(n % 10_000_000).padStart(7, '0'),
            ),
          };
        },
      },
    ],
  });
  return {
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}
