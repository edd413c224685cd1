/** What operators put in front of a running system and of its PostgreSQL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../libs/postgres/src/embedded/embedded-postgres.ts';
import { freePort } from '../../libs/postgres/src/free-port.ts';
import { type Answer, HttpClient } from '../support/http.ts';
import { freshNumber } from '../support/numbers.ts';
import { type Customer, Suite } from '../support/suite.ts';
import { RunningSystem, startOwnSystem } from '../support/system.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  canTrack,
  programAt,
  type Running,
  startHaproxy,
  startNginx,
  startPgBouncer,
  whyWithout,
} from './programs.kit.ts';
import { REPLICATED, type Standby, startStandby } from './standby.kit.ts';

const TIMEOUT_MS = 600_000;
/** A server of one's own needs keys of one's own. */
const SECRETS = {
  PEPPER: 'p'.repeat(32),
  ENCRYPTION_KEYS: '0f'.repeat(32),
  CALLBACK_SECRET: 'callback-secret-0123456789',
  OPERATOR_TOKEN: 'operator-token-0123456789-0123456789',
};
/** The code of each one-time password that a test key sends. */
const TEST_CODE = '123456';
const [haproxy, nginx, pgbouncer] = [
  programAt('haproxy'),
  programAt('nginx'),
  programAt('pgbouncer'),
];
const folder = mkdtempSync(join(tmpdir(), 'watchword-infrastructure-'));
const opened: { close(): Promise<unknown> }[] = [];
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ directory: folder });
}, TIMEOUT_MS);
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
afterAll(async () => {
  await postgres?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function using<Some extends Running | RunningSystem | Standby>(
  some: Promise<Some>,
): Promise<Some> {
  const one = await some;
  opened.push(one);
  return one;
}

function urlThrough({ port }: Running, server = postgres.url): string {
  const url = new URL(server);
  url.port = String(port);
  return url.href;
}

async function suiteOn(system: RunningSystem): Promise<Suite> {
  const suite = new Suite();
  await suite.open(async () => system);
  return suite;
}

/** Sends a code and verifies it once a carrier delivered it, by an address in front of the system. */
async function sendAndVerify(suite: Suite, port = suite.system.port): Promise<void> {
  const customer = await suite.customer();
  const { testKey: key } = customer;
  const http = new HttpClient(`http://127.0.0.1:${port}`);
  opened.push(http);
  const sent = await http.post('/v1/otp/send', { phone_number: freshNumber() }, { key });
  expect(sent.status).toBe(200);
  await customer.otpWith('delivered', sent.json.id, { key });
  const body = { otp_id: sent.json.id, code: TEST_CODE };
  const verified = await http.post('/v1/otp/verify', body, { key });
  expect([verified.status, verified.json.valid]).toEqual([200, true]);
}

describe('proxies in front of the API', () => {
  const [through, why] = [haproxy && nginx, whyWithout(haproxy && nginx, 'haproxy nginx')];
  (through === null ? it.skip : it)(
    `HAProxy and nginx: a code is sent and verified, also after a restart${why}`,
    async () => {
      const system = await using(startOwnSystem());
      const ports = [
        (await using(startHaproxy(haproxy!, 'http', system.port))).port,
        (await using(startNginx(nginx!, system.port))).port,
      ];
      for (const port of ports) await sendAndVerify(await suiteOn(system), port);
      await system.stop();
      await system.start();
      for (const port of ports) await sendAndVerify(await suiteOn(system), port);
    },
    TIMEOUT_MS,
  );
});

describe('in front of PostgreSQL', () => {
  (haproxy === null ? it.skip : it)(
    `HAProxy: a code is sent and verified, also after a restart${whyWithout(haproxy, 'haproxy')}`,
    async () => {
      const proxy = await using(startHaproxy(haproxy!, 'tcp', Number(new URL(postgres.url).port)));
      await sendsAndRestarts(urlThrough(proxy));
    },
    TIMEOUT_MS,
  );

  (haproxy === null ? it.skip : it)(
    `HAProxy that turns to a read-only standby: 503 and nothing else until it is promoted, then on without a restart${whyWithout(haproxy, 'haproxy')}`,
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'watchword-primary-'));
      const primary = await startEmbeddedPostgres({ directory, settings: REPLICATED });
      opened.push({ close: () => primary.destroy() });
      const standby = await using(startStandby(primary));
      const port = Number(new URL(primary.url).port);
      const proxy = await using(startHaproxy(haproxy!, 'tcp', port, standby.port));
      const system = await startedOn(urlThrough(proxy, primary.url));
      const suite = await suiteOn(system);
      await sendAndVerify(suite);
      const customer = await suite.customer();
      const sent = await Promise.all(Array.from({ length: 20 }, () => customer.sendSms()));
      await standby.caughtUp();
      await primary.stop();

      const refused = await answersUntil(customer, ({ status }) => status === 503);
      const late = await Promise.all(Array.from({ length: 20 }, () => customer.sendOtp()));
      for (const { status, headers, json } of [...refused, ...late]) {
        expect([status, json.error?.type]).toEqual([503, 'internal_error']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
      await standby.promote();
      const answers = await answersUntil(customer, ({ status }) => status === 200);
      for (const { status } of answers) expect([200, 503]).toContain(status);
      await sendAndVerify(suite);
      for (const { json } of sent) expect((await customer.getSms(json.id)).status).toBe(200);
      const charged = [...sent, ...answers].filter(({ status }) => status === 200);
      const entries = await customer.ledger();
      const charges = entries.filter(({ kind }) => kind === 'charge');
      expect(charges).toHaveLength(charged.length);
    },
    TIMEOUT_MS,
  );

  const tracks = pgbouncer !== null && canTrack(pgbouncer);
  const without = whyWithout(pgbouncer, 'pgbouncer');
  const old = pgbouncer !== null && !tracks ? ' (skipped: PGBOUNCER is to name 1.20 or newer)' : '';

  (tracks ? it : it.skip).each(['session', 'transaction'])(
    `PgBouncer from 1.20 on, pool_mode %s: a code is sent and verified, also after a restart${old}${without}`,
    async (pooling) => {
      const pooler = await using(startPgBouncer(pgbouncer!, postgres.url, pooling));
      await sendsAndRestarts(urlThrough(pooler));
    },
    TIMEOUT_MS,
  );

  const isOld = pgbouncer !== null && !tracks;
  (isOld ? it : it.skip).each(['session', 'transaction'])(
    `PgBouncer 1.18, pool_mode %s: one sentence ends the start${tracks ? ' (skipped: PGBOUNCER is newer)' : ''}${without}`,
    async (pooling) => {
      const pooler = await using(startPgBouncer(pgbouncer!, postgres.url, pooling));
      await expect(startedOn(urlThrough(pooler))).rejects.toThrow(
        /The connection pooler at \S+ refuses settings of a connection .*poolers\.md/,
      );
    },
    TIMEOUT_MS,
  );
});

/** Sends until an answer is as wanted, and returns all of them. */
async function answersUntil(customer: Customer, isWanted: (answer: Answer) => boolean) {
  const answers: Answer[] = [];
  await waitUntil('the wanted answer', async () => {
    answers.push(await customer.sendOtp());
    return isWanted(answers.at(-1)!);
  });
  return answers;
}

/** Only an embedded database gets an account for development; here the operator makes one. */
async function startedOn(url: string): Promise<RunningSystem> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword-test-'));
  const credentials = {
    base_url: `http://127.0.0.1:${port}`,
    operator_token: SECRETS.OPERATOR_TOKEN,
    simulator_url: 'http://127.0.0.1:9',
  };
  writeFileSync(join(dataDir, 'dev-credentials.json'), JSON.stringify(credentials));
  const system = new RunningSystem(port, dataDir, { DATABASE_URL: url, ...SECRETS });
  opened.push(system);
  return system.start();
}

async function sendsAndRestarts(url: string): Promise<void> {
  const system = await startedOn(url);
  await sendAndVerify(await suiteOn(system));
  await system.stop();
  await system.start();
  await sendAndVerify(await suiteOn(system));
}
