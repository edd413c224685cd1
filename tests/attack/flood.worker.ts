/** Floods a server in its own thread, so that it does not delay the measured sends. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export interface FloodOrder {
  url: string;
  path: string;
  perSecond: number;
  forwardedFor: string;
  /** A new, unknown credential for each request. */
  credential?: 'key' | 'session';
  /** A valid key. */
  token?: string;
  body?: string;
}

/** Count of answers by status. */
export type FloodTally = Record<string, number>;

const TICK_MS = 10;
const CONNECTIONS = 32;
/** Most requests without an answer. Beyond it the flood waits. */
const UNANSWERED_MAX = 512;

const order = workerData as FloodOrder;
const dispatcher = new Agent({ connections: CONNECTIONS });
const tally: FloodTally = {};
let stopped = false;
let unanswered = 0;

parentPort?.once('message', () => (stopped = true));
await run();
parentPort?.postMessage(tally);

async function run(): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; !stopped;) {
    const due = ((performance.now() - startedAt) * order.perSecond) / 1_000;
    for (; sent < due && unanswered < UNANSWERED_MAX; sent += 1) void ask();
    await sleep(TICK_MS);
  }
}

async function ask(): Promise<void> {
  unanswered += 1;
  let outcome = 'no answer';
  try {
    const { statusCode, body } = await request(`${order.url}${order.path}`, {
      dispatcher,
      method: order.body === undefined ? 'GET' : 'POST',
      headers: headers(),
      ...(order.body === undefined ? {} : { body: order.body }),
    });
    await body.dump({ limit: 1 << 24 });
    outcome = String(statusCode);
  } catch {
    // Counted below. The server may close a flood's connection.
  }
  tally[outcome] = (tally[outcome] ?? 0) + 1;
  unanswered -= 1;
}

function headers(): Record<string, string> {
  const { credential, token, forwardedFor, body } = order;
  const random = randomBytes(32);
  const key = token ?? (credential === 'key' ? `svc_live_${random.toString('hex').slice(32)}` : '');
  return {
    'x-forwarded-for': forwardedFor,
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(credential === 'session' ? { cookie: `svc_session=${random.toString('base64url')}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}
