/**
 * Emails accepted, composed, signed and handed to a local relay, a second and in CPU per email, beside
 * a plain Nodemailer pool that signs too and keeps nothing. Same relay, same content, same key size.
 */
import { generateKeyPairSync } from 'node:crypto';
import { startCarrierSimHost } from '@watchword/carrier-sim';
import { createTransport } from 'nodemailer';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';
import {
  processorTimes,
  spentBetween,
  type Watched,
  withChildren,
} from './support/processor-time.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const BATCHES = benchNumber('BENCH_BATCHES', 15);
const BATCH = 100;
const REQUESTS_AT_ONCE = 3;
const PEER_CONNECTIONS = 20;
const GOAL = '>= 0.5x';
/** Timed answers to one batch of 100, and to one email, in turns. */
const TIMED = benchNumber('BENCH_TIMED', 40);
const BATCH_GOAL = '<= 6x';
const DOMAIN = 'bench.example';
const PATIENCE_MS = 120_000;

type Simulator = Awaited<ReturnType<typeof startCarrierSimHost>>;

interface Figures {
  perSecond: number;
  cpuMsPerEmail: number;
}

const CONTENT = {
  from: `Bench <bench@${DOMAIN}>`,
  subject: 'Your receipt for the order of today',
  html: `<h1>Receipt</h1><p>${'Thank you for your order. '.repeat(80)}</p>`,
  text: `Receipt. ${'Thank you for your order. '.repeat(80)}`,
};

export async function emailBench(): Promise<void> {
  const simulator = await startCarrierSimHost({
    accounts: {},
    bounceExchangers: [],
    port: 0,
    preferredPort: 0,
    onRestart: () => console.error('the relay died'),
  });
  const ground = await Ground.open();
  try {
    const ours = await ground.product('gateway,billing,dispatch,webhooks', 1, {
      environment: environmentFor(simulator),
    });
    await verifyDomain(ours, simulator);
    const watched: Watched[] = [{ name: 'watchword', pids: () => withChildren(ours.pid) }];
    const [mine, theirs]: [Figures[], Figures[]] = [[], []];
    await product(ours, simulator, watched, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      mine.push(await product(ours, simulator, watched, BATCHES));
      theirs.push(await peer(simulator, BATCHES * BATCH));
    }
    print(mine, theirs);
    await printBatch(ours, simulator);
  } finally {
    await ground.close();
    await simulator.stop();
  }
}

function environmentFor({ smtp, dns }: Simulator): Record<string, string> {
  return {
    SMTP_HOST: smtp.host,
    SMTP_PORT: String(smtp.port),
    SMTP_SECURITY: 'none',
    DNS_SERVERS: dns,
    BOUNCE_DOMAIN: 'bounces.sim.test',
    CALLBACK_BASE_URL: 'http://127.0.0.1:9',
  };
}

async function call(url: string, key: string, method: string, body?: object): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

async function verifyDomain({ url, keys }: Contestant, simulator: Simulator): Promise<void> {
  const [key = ''] = keys;
  const created = await call(`${url}/v1/domains`, key, 'POST', { name: DOMAIN });
  const { id, records } = (await created.json()) as {
    id: string;
    records: { type: string; name: string; value: string; priority: number | null }[];
  };
  const dns = records.map(({ type, name, value, priority }) => ({ type, name, value, priority }));
  await call(`${simulator.url}/_simulator/dns`, '', 'PUT', { records: dns });
  const verified = await call(`${url}/v1/domains/${id}/verify`, key, 'POST');
  const { status } = (await verified.json()) as { status: string };
  if (status !== 'verified') throw new Error(`the domain is ${status}`);
}

async function product(
  { url, keys }: Contestant,
  simulator: Simulator,
  watched: readonly Watched[],
  batches: number,
): Promise<Figures> {
  const [key = ''] = keys;
  await call(`${simulator.url}/_simulator/emails`, '', 'DELETE');
  const before = processorTimes(watched);
  const started = performance.now();
  let left = batches;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const emails = Array.from({ length: BATCH }, (_, index) =>
        email(`user${left}.${index}@example.com`),
      );
      await call(`${url}/v1/emails/batch`, key, 'POST', emails);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, send));
  await arrived(simulator, batches * BATCH);
  const seconds = (performance.now() - started) / 1_000;
  const [spent = 0] = spentBetween(before, processorTimes(watched)).values();
  return { perSecond: (batches * BATCH) / seconds, cpuMsPerEmail: spent / (batches * BATCH) };
}

function email(to: string): object {
  return { ...CONTENT, to };
}

/** Measures how long a caller waits for a batch and for one email, with no other request. */
async function printBatch({ url, keys }: Contestant, simulator: Simulator): Promise<void> {
  const [key = ''] = keys;
  await call(`${simulator.url}/_simulator/emails`, '', 'DELETE');
  const timed = async (path: string, body: object): Promise<number> => {
    const started = performance.now();
    await (await call(`${url}${path}`, key, 'POST', body)).text();
    return performance.now() - started;
  };
  const [one, batch]: [number[], number[]] = [[], []];
  for (let turn = 1; turn <= TIMED; turn += 1) {
    const emails = Array.from({ length: BATCH }, (_, index) =>
      email(`b${turn}.${index}@example.com`),
    );
    one.push(await timed('/v1/emails', email(`one${turn}@example.com`)));
    await arrived(simulator, (turn - 1) * BATCH + turn);
    batch.push(await timed('/v1/emails/batch', emails));
    await arrived(simulator, turn * (BATCH + 1));
  }
  const ratio = `${(median(batch) / median(one)).toFixed(1)}x`;
  printTable(
    ['request', 'ms', 'beside one', 'goal'],
    [
      ['one email', median(one).toFixed(1), '', ''],
      [`a batch of ${BATCH}`, median(batch).toFixed(1), ratio, BATCH_GOAL],
    ],
  );
}

async function peer(simulator: Simulator, emails: number): Promise<Figures> {
  await call(`${simulator.url}/_simulator/emails`, '', 'DELETE');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const transport = createTransport({
    ...simulator.smtp,
    pool: true,
    maxConnections: PEER_CONNECTIONS,
    ignoreTLS: true,
    dkim: {
      domainName: DOMAIN,
      keySelector: 'bench',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  });
  const before = process.cpuUsage();
  const started = performance.now();
  const sends = Array.from({ length: emails }, (_, index) =>
    transport.sendMail({ ...CONTENT, to: `user${index}@example.com` }),
  );
  await Promise.all(sends);
  await arrived(simulator, emails);
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(before);
  transport.close();
  return { perSecond: emails / seconds, cpuMsPerEmail: (user + system) / 1_000 / emails };
}

async function arrived(simulator: Simulator, emails: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await call(`${simulator.url}/_simulator/health`, '', 'GET');
    const { emails: here } = (await answer.json()) as { emails: number };
    if (here >= emails) return;
    if (Date.now() > deadline) throw new Error(`${here} of ${emails} emails arrived`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function print(mine: readonly Figures[], theirs: readonly Figures[]): void {
  const row = (who: string, figures: readonly Figures[]) => [
    who,
    Math.round(median(figures.map(({ perSecond }) => perSecond))),
    median(figures.map(({ cpuMsPerEmail }) => cpuMsPerEmail)).toFixed(2),
  ];
  const ratio = median(mine.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond));
  printTable(
    ['who', 'emails/s', 'CPU ms/email', 'ratio', 'goal'],
    [
      [...row('watchword', mine), `${ratio.toFixed(2)}x`, GOAL],
      [...row('Nodemailer pool that signs', theirs), '', ''],
    ],
  );
}
