import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Domain, type DomainEvent, newId } from '@watchword/contracts';
import { KeyedAnswers, KeyRing } from '@watchword/platform';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import { freePort } from '@watchword/postgres';
import { dispatchService } from '../src/index.js';
import { CheckDomainHandler } from '../src/registrations/domains/check-domain.handler.js';
import { DomainChecksJob } from '../src/registrations/domains/domain-checks.job.js';
import { DomainsController } from '../src/registrations/domains/domains.controller.js';
import { EmailDomainStore } from '../src/registrations/domains/email-domain.store.js';
import { NodeDns } from '../src/registrations/domains/node-dns.adapter.js';
import { LocalDns } from './local-dns.js';

const HOUR_MS = 3_600_000;
const HOSTS = { bounceDomain: 'bounces.example.org', trackingHost: '' };

const ring = new KeyRing(['0f'.repeat(32)], 'domains');
let nowMs = Date.now();
const clock = { now: () => nowMs };
let dns: LocalDns;
let database: TestDatabase;
let routes: DomainsController;
let job: DomainChecksJob;
/** The same, with a resolver that is not there. */
let unanswered: { routes: DomainsController; job: DomainChecksJob };
let workspaceId = newId();

beforeAll(async () => {
  dns = await LocalDns.open();
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions, poolSize: 4 });
  const { pool } = database;
  const keyed = new KeyedAnswers(pool, clock);
  const asking = (server: string) => {
    const checking = new CheckDomainHandler(pool, ring, new NodeDns([server]), HOSTS, clock);
    const checks = new DomainChecksJob(new EmailDomainStore(pool, ring), checking, clock);
    return { routes: new DomainsController(pool, ring, checking, keyed), job: checks };
  };
  ({ routes, job } = asking(dns.address));
  unanswered = asking(`127.0.0.1:${await freePort()}`);
});
afterAll(async () => {
  await database.drop();
  await dns.close();
});
beforeEach(() => {
  workspaceId = newId();
  dns.publish([]);
});

const caller = () => ({ workspace_id: workspaceId, test_mode: false });
const created = async (name = 'mail.example.com'): Promise<Domain> =>
  (await routes.create(caller(), { name }, null)).body!;
const verify = async (id: string) => (await routes.verify(caller(), id, null)).body;
const published = async () => {
  const { rows } = await database.pool.query<{ payload: string }>(
    `SELECT payload FROM message_queue WHERE key = $1 AND type = 'svc.domain-event.v1'
       ORDER BY position`,
    [workspaceId],
  );
  return rows.map(({ payload }) => (JSON.parse(payload) as DomainEvent).type);
};

it('the private key of a domain is stored encrypted', async () => {
  const { id } = await created();
  const { rows } = await database.pool.query<{ private_key: Buffer }>(
    'SELECT private_key FROM email_domains WHERE id = $1',
    [id],
  );
  expect(rows[0]?.private_key.toString('latin1')).not.toContain('PRIVATE KEY');
});

it('decisions 20: a domain is verified by its DKIM record alone, no matter how its strings are split', async () => {
  const { id, records } = await created();
  expect(await verify(id)).toMatchObject({ status: 'pending', verified_at: null });
  const [dkim] = records;
  dns.publish([{ ...dkim!, value: dkim!.value.replaceAll(';', ' ;\n ') }]);
  const domain = await verify(id);
  expect(domain).toMatchObject({ status: 'verified' });
  expect(domain?.records.map(({ status }) => status)).toEqual([
    'verified',
    ...Array.from({ length: 3 }, () => 'pending'),
  ]);
  dns.publish(records);
  const all = await verify(id);
  expect(all?.records.map(({ status }) => status)).toEqual(records.map(() => 'verified'));
  expect(await published()).toEqual(['domain.verified']);
});

it('decisions 20: a domain is checked daily, sends for 72 hours without its record, then fails', async () => {
  const { id, records } = await created();
  dns.publish(records);
  await verify(id);
  dns.publish([]);
  const statusAfter = async (hours: number) => {
    nowMs += hours * HOUR_MS;
    await job.run();
    return (await routes.get(caller(), id)).body?.status;
  };
  expect(await statusAfter(23)).toBe('verified');
  expect(await statusAfter(2)).toBe('temporary_failure');
  expect(await statusAfter(70)).toBe('temporary_failure');
  expect(await statusAfter(3)).toBe('failed');
  expect(await published()).toEqual(['domain.verified', 'domain.failed']);
  dns.publish(records);
  expect((await verify(id))?.status).toBe('verified');
  expect(await published()).toEqual(['domain.verified', 'domain.failed', 'domain.verified']);
});

describe('whose name servers do not answer', () => {
  afterEach(() => dns.fail(false));

  it('decisions 20: a domain whose name servers do not answer keeps its status for an hour, sends for 72, then fails with an event', async () => {
    const { id, records } = await created();
    dns.publish(records);
    await verify(id);
    dns.fail(true);
    expect(await verify(id)).toMatchObject({ status: 'verified' });
    const after = async (minutes: number) => {
      nowMs += (minutes / 60) * HOUR_MS;
      await job.run();
      return (await routes.get(caller(), id)).body;
    };
    expect(await after(59)).toMatchObject({ status: 'verified' });
    const silent = await after(2);
    expect(silent).toMatchObject({ status: 'temporary_failure' });
    // The last finding stays visible.
    expect(silent?.records[0]).toMatchObject({ status: 'verified' });
    expect(await after(70 * 60)).toMatchObject({ status: 'temporary_failure' });
    expect(await published()).toEqual(['domain.verified']);
    expect(await after(60)).toMatchObject({ status: 'failed' });
    expect(await published()).toEqual(['domain.verified', 'domain.failed']);
  });
});

const asked = async (id: string) => (await unanswered.routes.verify(caller(), id, null)).body;

it('decisions 20: a domain keeps its status while the resolver of the installation does not answer', async () => {
  const [{ id, records }, waiting] = [await created(), await created('b.example.com')];
  dns.publish(records);
  const verified = await verify(id);
  for (const hours of [0, 2, 25, 73, 200]) {
    nowMs += hours * HOUR_MS;
    await unanswered.job.run();
    expect(await asked(id)).toEqual(verified);
    expect(await asked(waiting.id)).toMatchObject({ status: 'pending', last_checked_at: null });
  }
  expect(await published()).toEqual(['domain.verified']);
  expect(await verify(id)).toMatchObject({ ...verified, last_checked_at: expect.any(String) });
});
