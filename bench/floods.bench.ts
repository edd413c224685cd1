/**
 * `npm run bench -- floods`: what a paying workspace feels of its acceptances while a trial workspace floods us with a test
 * key: first with events of SMS for two webhooks of one host, then with large attachments. Beside it what the floods got:
 * deliveries at once and a second, and bytes stored.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';
import { type Contestant, Environment } from './support/environment.ts';
import { machine } from './support/processor-time.ts';
import { quantile } from './support/quantile.ts';

const SECONDS = benchNumber('BENCH_SECONDS', 20);
const RATE = benchNumber('BENCH_RATE', 50);
/** Deliveries that the flood asks for: three events of each SMS for both webhooks. */
const DELIVERIES = benchNumber('BENCH_DELIVERIES', 12_000);
const BATCH = 200;
const PER_SMS = 6;
const ATTACHMENT_BYTES = 5_000_000;
const BATCH_EVERY_MS = 1_000;
const ANSWER_MS = 20;
const MIB = 1_048_576;

export async function floodsBench(): Promise<void> {
  console.log(machine());
  const environment = await Environment.open();
  const receiver = await startReceiver();
  try {
    const product = await environment.product('gateway,billing,dispatch,webhooks', 1, {
      environment: { ALLOW_LOOPBACK_WEBHOOKS: 'true', CALLBACK_BASE_URL: 'http://127.0.0.1:9' },
      testWorkspaces: 1,
    });
    const [payer, flooder] = [product.keys[0]!, product.testKeys![0]!];
    // Before its key is used, so that no gateway knows it yet.
    await environment.queryOf(
      'watchword',
      `UPDATE gateway.workspaces SET origin = 'sign_up' WHERE created_at = (SELECT max(created_at) FROM gateway.workspaces)`,
    );
    const post = posting(product, flooder);
    await paced(product, payer, 5);
    const quiet = await paced(product, payer, SECONDS);
    const [events, receivedDuring] = await besideEvents(product, payer, post, receiver);
    const [attachments, statuses] = await besideAttachments(product, payer, post);
    const stored = await environment.queryOf(
      'watchword',
      'SELECT sum(bytes) AS sum FROM dispatch.stored_bytes',
    );
    print({ quiet, events, attachments });
    console.log(
      `\nEvents: ${receivedDuring} of ${DELIVERIES} deliveries in ${SECONDS} s, at most ${receiver.most()} at once and ` +
        `${receiver.mostASecond()} a second.\nAttachments: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}; ` +
        `${Math.round(Number(stored[0]!['sum']) / MIB)} MiB stored.`,
    );
  } finally {
    await environment.close();
    receiver.stop();
  }
}

async function besideEvents(
  product: Contestant,
  payer: string,
  post: Post,
  receiver: Receiver,
): Promise<[waits: number[], received: number]> {
  for (const path of ['/one', '/two']) {
    const status = await post('/v1/webhooks', { url: receiver.url + path, events: ['*'] });
    if (status !== 201) throw new Error(`a webhook was answered ${status}`);
  }
  const flood = async () => {
    for (let made = 0; made < DELIVERIES; made += BATCH * PER_SMS) {
      const messages = Array.from({ length: BATCH }, (_, index) => ({
        to: `+234805${String(made + index).padStart(7, '0')}`,
        body: 'Hello',
      }));
      const status = await post('/v1/sms/batch', { from: 'Acme', messages });
      if (status !== 202) throw new Error(`a batch was answered ${status}`);
      await new Promise((resolve) => setTimeout(resolve, BATCH_EVERY_MS));
    }
  };
  const [waits] = await Promise.all([paced(product, payer, SECONDS), flood()]);
  return [waits, receiver.total()];
}

async function besideAttachments(
  product: Contestant,
  payer: string,
  post: Post,
): Promise<[waits: number[], statuses: Map<number, number>]> {
  const statuses = new Map<number, number>();
  let isOver = false;
  const flood = async () => {
    for (let n = 0; !isOver; n += 1) {
      const content = Buffer.alloc(ATTACHMENT_BYTES, `${Math.random()} ${n}`).toString('base64');
      const email = { from: 'a@flood.example', to: 'b@flood.example', subject: 'Hi', text: 'Hi' };
      const attachments = [{ filename: 'a.bin', content }];
      const status = await post('/v1/emails', { ...email, attachments });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  const flooding = flood();
  const waits = await paced(product, payer, SECONDS);
  isOver = true;
  await flooding;
  return [waits, statuses];
}

let numbers = 0;

/** Returns how long each acceptance of the payer took, at its rate however slow the answers are. */
async function paced({ url }: Contestant, key: string, seconds: number): Promise<number[]> {
  const pool = new Pool(url, { connections: 64 });
  const waits: number[] = [];
  const open: Promise<void>[] = [];
  const startedAt = performance.now();
  const send = async () => {
    numbers += 1;
    const beganAt = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/sms/send',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        phone_number: `+234803${String(numbers).padStart(7, '0')}`,
        message: `Your order ${numbers} has left our shop.`,
      }),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a send was answered ${statusCode}`);
    waits.push(performance.now() - beganAt);
  };
  for (let n = 0; n < RATE * seconds; n += 1) {
    const dueAt = startedAt + (n * 1_000) / RATE;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    open.push(send());
  }
  await Promise.all(open);
  await pool.close();
  return waits;
}

type Post = (path: string, body: object) => Promise<number>;

function posting({ url }: Contestant, key: string): Post {
  const pool = new Pool(url, { connections: 4 });
  return async (path, body) => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.dump();
    return statusCode;
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A host that answers 200 after a moment, and counts. */
async function startReceiver() {
  let running = 0;
  let most = 0;
  const begunAtMs: number[] = [];
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    begunAtMs.push(performance.now());
    request.resume();
    setTimeout(() => {
      running -= 1;
      response.end();
    }, ANSWER_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    most: () => most,
    total: () => begunAtMs.length,
    /** Most within any second. */
    mostASecond: () => {
      let from = 0;
      return begunAtMs.reduce((best, at, index) => {
        while (begunAtMs[from]! <= at - 1_000) from += 1;
        return Math.max(best, index - from + 1);
      }, 0);
    },
    stop: () => server.close(),
  };
}

function print(waits: Record<'quiet' | 'events' | 'attachments', number[]>): void {
  const p99 = (all: number[]) => quantile(all, 0.99);
  const names = {
    quiet: 'nothing',
    events: 'a flood of events',
    attachments: 'a flood of attachments',
  };
  console.log(`\n${RATE} sends a second of a workspace that pays, ${SECONDS} s each`);
  printTable(
    ['beside', 'p50 ms', 'p99 ms', 'p99 to that beside nothing', 'goal'],
    Object.entries(waits).map(([name, all]) => [
      names[name as keyof typeof names],
      quantile(all, 0.5).toFixed(1),
      p99(all).toFixed(1),
      name === 'quiet' ? '' : `${(p99(all) / p99(waits.quiet)).toFixed(2)}x`,
      name === 'quiet' ? '' : '<= 1.5x',
    ]),
  );
}
