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
