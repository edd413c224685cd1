/**
 * Measures sends while one address floods the gateway with requests without a valid credential. A
 * flood also costs CPU of its generator, so each kind is compared with the same flood against a
 * server that answers at once and does nothing. `FLOOD_SECONDS`, `FLOOD_RATE` and `SEND_RATE`
 * change the load.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { benchNumber } from '../../bench/support/bench-number.ts';
import { printTable } from '../../bench/support/figures.ts';
import { type Contestant, Ground } from '../../bench/support/ground.ts';
import type { FloodOrder, FloodTally } from './flood.worker.ts';
import { quantile } from '../../bench/support/quantile.ts';

const seconds = benchNumber('FLOOD_SECONDS', 8);
const floodRate = benchNumber('FLOOD_RATE', 1_000);
const sendRate = benchNumber('SEND_RATE', 50);

const CUSTOMER_ADDRESS = '198.51.100.1';
const ATTACKER_ADDRESS = '203.0.113.7';
const WARM_UP_SECONDS = 3;

type Kind = Omit<FloodOrder, 'url' | 'perSecond' | 'forwardedFor'> & {
  name: string;
  perSecond: number;
};

const KINDS: Kind[] = [
  { name: 'unknown keys', path: '/v1/balance', credential: 'key', perSecond: floodRate },
  {
    name: 'unknown sessions',
    path: '/dashboard/workspace',
    credential: 'session',
    perSecond: floodRate,
  },
  { name: '/ready', path: '/ready', perSecond: floodRate },
  { name: '/docs', path: '/docs', perSecond: floodRate },
  { name: '/openapi.json', path: '/openapi.json', perSecond: floodRate },
  { name: 'unknown paths', path: '/nope', perSecond: floodRate },
];

export async function flood(): Promise<void> {
  const ground = await Ground.open();
  const idle = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(idle, 'listening');
  const idleUrl = `http://127.0.0.1:${(idle.address() as AddressInfo).port}`;
  try {
    const environment = { TRUSTED_PROXIES: '1' };
    const product = await ground.product('gateway,billing', 1, { environment });
    console.log(`${floodRate} requests/s from one address, ${sendRate} sends/s, ${seconds} s each`);
    await sends(product, WARM_UP_SECONDS);
    const rows = [];
    rows.push(row('none', await sends(product, seconds)));
    for (const kind of KINDS) {
      const control = await flooded(product, kind, idleUrl);
      const attacked = await flooded(product, kind, product.url);
      rows.push(row(kind.name, attacked, control));
    }
    rows.push(row('1 MiB of {} to /v1/quote', ...(await withHugeBodies(product))));
    printTable(
      ['flood', 'send p50 ms', 'p99 ms', 'p50 control', 'ratio', 'failed', 'flood answers'],
      rows,
    );
  } finally {
    idle.close();
    await ground.close();
  }
}

interface Figures {
  p50Ms: number;
  p99Ms: number;
  failed: number;
  answers?: string;
}

function row(name: string, figures: Figures, control?: Figures): (string | number)[] {
  const { p50Ms, p99Ms, failed, answers = '' } = figures;
  const compared = control && [control.p50Ms.toFixed(2), (p50Ms / control.p50Ms).toFixed(2)];
  return [name, p50Ms.toFixed(2), p99Ms.toFixed(2), ...(compared ?? ['', '']), failed, answers];
}

async function flooded(product: Contestant, kind: Kind, url: string): Promise<Figures> {
  const { name: _name, ...order } = kind;
  return beside(product, { ...order, url, forwardedFor: ATTACKER_ADDRESS });
}

/** The same bodies to a server that reads them, and to the product with a valid key. */
async function withHugeBodies(product: Contestant): Promise<[Figures, Figures]> {
  const body = `[${'{},'.repeat((1 << 20) / 3 - 2)}{}]`;
  const token = product.keys[0]!;
  const order = { path: '/v1/quote', perSecond: 5, forwardedFor: CUSTOMER_ADDRESS, body, token };
  const sink = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  const control = await beside(product, { ...order, url });
  sink.close();
  return [await beside(product, { ...order, url: product.url }), control];
}

async function beside(product: Contestant, order: FloodOrder): Promise<Figures> {
  const worker = new Worker(new URL('./flood.worker.ts', import.meta.url), { workerData: order });
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
  await Promise.race([sleep(1_000), failed]);
  const figures = await Promise.race([sends(product, seconds), failed]);
  const told = once(worker, 'message') as Promise<[FloodTally]>;
  worker.postMessage('stop');
  const [tally] = await Promise.race([told, failed]);
  await worker.terminate();
  const answers = Object.entries(tally).map(([status, count]) => `${count} x ${status}`);
  return { ...figures, answers: answers.join(', ') };
}

let number = 0;

/** Open loop: a send starts at its time, whether the one before was answered or not. */
async function sends({ url, keys }: Contestant, forSeconds: number): Promise<Figures> {
  const dispatcher = new Agent({ connections: 16 });
  const takenMs: number[] = [];
  let failed = 0;
  const send = async (): Promise<void> => {
    number += 1;
    const startedAt = performance.now();
    const { statusCode, body } = await request(`${url}/v1/otp/send`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[0]!}`,
        'content-type': 'application/json',
        'x-forwarded-for': CUSTOMER_ADDRESS,
      },
      body: JSON.stringify({ phone_number: `+234803${String(number).padStart(7, '0')}` }),
    });
    await body.dump();
    if (statusCode !== 200) failed += 1;
    takenMs.push(performance.now() - startedAt);
  };
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < forSeconds * sendRate; index += 1) {
    await sleep(Math.max(0, startedAt + (index * 1_000) / sendRate - performance.now()));
    underWay.push(send());
  }
  await Promise.all(underWay);
  await dispatcher.close();
  return { p50Ms: quantile(takenMs, 0.5), p99Ms: quantile(takenMs, 0.99), failed };
}
