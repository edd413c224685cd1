import { createPublicKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type DomainEvent,
  type IdempotencyClaim,
  newId,
  type SendingDomain,
} from '@watchword/contracts';
import { KeyRing } from '@watchword/platform';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import { freePort } from '@watchword/postgres';
import { dispatchService } from '../src/index.js';
import { CheckDomainHandler } from '../src/registrations/domains/check-domain.handler.js';
import { DomainChecksJob } from '../src/registrations/domains/domain-checks.job.js';
import { DomainRpc } from '../src/registrations/domains/domain.rpc.js';
import { EmailDomainStore } from '../src/registrations/domains/email-domain.store.js';
import { NodeDns } from '../src/registrations/domains/node-dns.adapter.js';
import { fingerprintOf } from './dispatch.kit.js';
import { LocalDns } from './local-dns.js';

const HOUR_MS = 3_600_000;
const HOSTS = { bounceDomain: 'bounces.example.org', trackingHost: '' };

describe('domains', () => {
  const ring = new KeyRing(['0f'.repeat(32)], 'domains');
  let nowMs = Date.now();
  const clock = { now: () => nowMs };
  let dns: LocalDns;
  let database: TestDatabase;
  let calls: DomainRpc;
  let job: DomainChecksJob;
  /** The same, with a resolver that is not there. */
  let unheard: { calls: DomainRpc; job: DomainChecksJob };
  let workspaceId = newId();

  beforeAll(async () => {
    dns = await LocalDns.open();
    const { migrations, functions } = dispatchService;
    database = await testDatabase({ service: 'dispatch', migrations, functions, poolSize: 4 });
    const { pool } = database;
    const asking = (server: string) => {
      const checking = new CheckDomainHandler(pool, ring, new NodeDns([server]), HOSTS, clock);
      const checks = new DomainChecksJob(new EmailDomainStore(pool, ring), checking, clock);
      return { calls: new DomainRpc(pool, ring, checking, clock), job: checks };
    };
    ({ calls, job } = asking(dns.address));
    unheard = asking(`127.0.0.1:${await freePort()}`);
  });
  afterAll(async () => {
    await database.drop();
    await dns.close();
  });
  beforeEach(() => {
    workspaceId = newId();
    dns.publish([]);
  });

  const create = (name = 'mail.example.com', idempotency: ReturnType<typeof key> | null = null) =>
    calls.createDomain({ workspace_id: workspaceId, name, idempotency });
  const created = async (name?: string): Promise<SendingDomain> => {
    const made = await create(name);
    if (made.verdict !== 'created') throw new Error(made.verdict);
    return made.domain;
  };
  const key = (name: string, body = name) => ({
    scope: 'live POST /v1/domains',
    key: name,
    fingerprint: fingerprintOf(body),
  });
  const ask = (id: string, idempotency: IdempotencyClaim | null = null) =>
    calls.verifyDomain({ workspace_id: workspaceId, id, idempotency });
  const verify = async (id: string) => {
    const answer = await ask(id);
    return 'domain' in answer ? answer.domain : null;
  };
  const told = async () => {
    const { rows } = await database.pool.query<{ payload: string }>(
      `SELECT payload FROM message_queue WHERE key = $1 AND type = 'svc.domain-event.v1'
       ORDER BY position`,
      [workspaceId],
    );
    return rows.map(({ payload }) => (JSON.parse(payload) as DomainEvent).type);
  };

  it('decisions 20: shows records with a usable key, ready to paste', async () => {
    const { records, id, status } = await created();
    expect(status).toBe('pending');
    const [dkim, spf, mx, dmarc] = records;
    const selector = `svc${id.replaceAll('-', '')}`;
    expect(dkim).toMatchObject({
      purpose: 'DKIM',
      type: 'TXT',
      name: `${selector}._domainkey.mail.example.com`,
      required: true,
      priority: null,
      status: 'pending',
    });
    const [, base64 = ''] = /p=(.+)$/.exec(dkim?.value ?? '') ?? [];
    const publicKey = createPublicKey({
      key: Buffer.from(base64, 'base64'),
      format: 'der',
      type: 'spki',
    });
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(spf).toMatchObject({
      name: 'send.mail.example.com',
      value: 'v=spf1 include:bounces.example.org ~all',
    });
    expect(mx).toMatchObject({ type: 'MX', value: 'bounces.example.org', priority: 10 });
    expect(dmarc).toMatchObject({ name: '_dmarc.mail.example.com', required: false });
    expect(records).toHaveLength(4);
  });

  it('keeps the private key encrypted', async () => {
    const { id } = await created();
    const { rows } = await database.pool.query<{ private_key: Buffer }>(
      'SELECT private_key FROM email_domains WHERE id = $1',
      [id],
    );
    expect(rows[0]?.private_key.toString('latin1')).not.toContain('PRIVATE KEY');
  });

  it('decisions 20: refuses the duplicate of a workspace, and replays a creation', async () => {
    const first = await create('a.example.com', key('one'));
    expect(await create('a.example.com', key('one'))).toEqual({ ...first, replayed: true });
    expect(await create('a.example.com', key('two'))).toEqual({ verdict: 'duplicate' });
    expect(await create('b.example.com', key('one', 'other'))).toEqual({
      verdict: 'idempotency_conflict',
    });
    workspaceId = newId();
    expect((await create('a.example.com')).verdict).toBe('created');
  });

  it('decisions 20: is verified by its DKIM record alone, however its strings are split', async () => {
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
    expect(await told()).toEqual(['domain.verified']);
  });

  it('repeats under a key what the first look found, and looks again without it', async () => {
    const { id, records } = await created();
    const first = await ask(id, key('look'));
    expect(first).toMatchObject({ replayed: false, domain: { status: 'pending' } });
    dns.publish(records);
    expect(await ask(id, key('look'))).toEqual({ ...first, replayed: true });
    expect(await ask(id, key('look', 'other'))).toEqual({ verdict: 'idempotency_conflict' });
    expect(await verify(id)).toMatchObject({ status: 'verified' });
    const unknown = await ask(newId(), key('none'));
    expect(unknown).toEqual({ replayed: false, domain: null });
    expect(await ask(id, key('none'))).toMatchObject({ replayed: false });
  });

  it('distinguishes another value from none', async () => {
    const { id, records } = await created();
    dns.publish([
      { ...records[0]!, value: 'v=DKIM1; k=rsa; p=AAAA' },
      { ...records[1]!, value: 'v=spf1 -all' },
      { ...records[2]!, value: 'mx.elsewhere.example' },
      // Of two such records none counts.
      ...[records[3]!, { ...records[3]!, value: 'v=DMARC1; p=reject' }],
    ]);
    const domain = await verify(id);
    expect(domain?.records.map(({ status }) => status)).toEqual(Array(4).fill('failed'));
  });

  it('decisions 20: is looked up again daily, keeps sending for 72 hours without its record, then fails', async () => {
    const { id, records } = await created();
    dns.publish(records);
    await verify(id);
    dns.publish([]);
    const statusAfter = async (hours: number) => {
      nowMs += hours * HOUR_MS;
      await job.run();
      return (await calls.getDomain({ workspace_id: workspaceId, id })).domain?.status;
    };
    expect(await statusAfter(23)).toBe('verified');
    expect(await statusAfter(2)).toBe('temporary_failure');
    expect(await statusAfter(70)).toBe('temporary_failure');
    expect(await statusAfter(3)).toBe('failed');
    expect(await told()).toEqual(['domain.verified', 'domain.failed']);
    dns.publish(records);
    expect((await verify(id))?.status).toBe('verified');
    expect(await told()).toEqual(['domain.verified', 'domain.failed', 'domain.verified']);
  });

  it('keeps the moment of verification until it fails', async () => {
    const { id, records } = await created();
    dns.publish(records);
    const first = (await verify(id))?.verified_at;
    expect(first).toBe(new Date(nowMs).toISOString());
    const hoursLater = async (hours: number) => {
      nowMs += hours * HOUR_MS;
      await job.run();
      return (await calls.getDomain({ workspace_id: workspaceId, id })).domain;
    };
    expect(await hoursLater(25)).toMatchObject({ status: 'verified', verified_at: first });
    dns.publish([]);
    expect(await hoursLater(25)).toMatchObject({ status: 'temporary_failure' });
    dns.publish(records);
    expect(await hoursLater(2)).toMatchObject({ status: 'verified', verified_at: first });
    dns.publish([]);
    await hoursLater(25);
    expect(await hoursLater(80)).toMatchObject({ status: 'failed' });
    dns.publish(records);
    expect((await verify(id))?.verified_at).toBe(new Date(nowMs).toISOString());
  });

  describe('whose name servers do not answer', () => {
    afterEach(() => dns.fail(false));

    it('decisions 20: keeps its state for an hour, sends for 72, then fails with an event', async () => {
      const { id, records } = await created();
      dns.publish(records);
      await verify(id);
      dns.fail(true);
      expect(await verify(id)).toMatchObject({ status: 'verified' });
      const after = async (minutes: number) => {
        nowMs += (minutes / 60) * HOUR_MS;
        await job.run();
        return (await calls.getDomain({ workspace_id: workspaceId, id })).domain;
      };
      expect(await after(59)).toMatchObject({ status: 'verified' });
      const silent = await after(2);
      expect(silent).toMatchObject({ status: 'temporary_failure' });
      // The last finding stays visible.
      expect(silent?.records[0]).toMatchObject({ status: 'verified' });
      expect(await after(70 * 60)).toMatchObject({ status: 'temporary_failure' });
      expect(await told()).toEqual(['domain.verified']);
      expect(await after(60)).toMatchObject({ status: 'failed' });
      expect(await told()).toEqual(['domain.verified', 'domain.failed']);
    });

    it('decisions 20: is verified again, without an event, when they answer within the grace', async () => {
      const { id, records } = await created();
      dns.publish(records);
      const first = (await verify(id))?.verified_at;
      dns.fail(true);
      await verify(id);
      nowMs += 2 * HOUR_MS;
      expect(await verify(id)).toMatchObject({ status: 'temporary_failure' });
      dns.fail(false);
      expect(await verify(id)).toMatchObject({ status: 'verified', verified_at: first });
      // The next silence has its own hour.
      dns.fail(true);
      nowMs += 25 * HOUR_MS;
      expect(await verify(id)).toMatchObject({ status: 'verified' });
      expect(await told()).toEqual(['domain.verified']);
    });

    it('fails 72 hours after its creation, where it was never verified', async () => {
      const { id } = await created();
      dns.fail(true);
      nowMs += 71 * HOUR_MS;
      expect(await verify(id)).toMatchObject({ status: 'pending' });
      nowMs += HOUR_MS;
      expect(await verify(id)).toMatchObject({ status: 'failed' });
      expect(await told()).toEqual(['domain.failed']);
    });
  });

  describe('while the resolver of the installation does not answer', () => {
    const asked = async (id: string) => {
      const answer = await unheard.calls.verifyDomain({ workspace_id: workspaceId, id });
      return 'domain' in answer ? answer.domain : null;
    };

    it('decisions 20: keeps its status, however long that takes', async () => {
      const [{ id, records }, waiting] = [await created(), await created('b.example.com')];
      dns.publish(records);
      const verified = await verify(id);
      for (const hours of [0, 2, 25, 73, 200]) {
        nowMs += hours * HOUR_MS;
        await unheard.job.run();
        expect(await asked(id)).toEqual(verified);
        expect(await asked(waiting.id)).toMatchObject({ status: 'pending', last_checked_at: null });
      }
      expect(await told()).toEqual(['domain.verified']);
      expect(await verify(id)).toMatchObject({ ...verified, last_checked_at: expect.any(String) });
    });
  });

  describe('that failed', () => {
    const failed = async () => {
      const domain = await created();
      nowMs += 72 * HOUR_MS;
      expect(await verify(domain.id)).toMatchObject({ status: 'failed' });
      return domain;
    };
    const nextCheckOf = async (id: string) => {
      const { rows } = await database.pool.query<{ at: Date | null }>(
        'SELECT next_check_at AS at FROM email_domains WHERE id = $1',
        [id],
      );
      return rows[0]!.at;
    };

    it('is looked up again daily, and verified once its record is there', async () => {
      const { id, records } = await failed();
      dns.publish(records);
      nowMs += 23 * HOUR_MS;
      await job.run();
      expect(await told()).toEqual(['domain.failed']);
      nowMs += 2 * HOUR_MS;
      await job.run();
      expect(await told()).toEqual(['domain.failed', 'domain.verified']);
      const { domain } = await calls.getDomain({ workspace_id: workspaceId, id });
      expect(domain).toMatchObject({ status: 'verified' });
    });

    it('is left alone after 30 days, until its workspace asks', async () => {
      const { id, records } = await failed();
      let days = 0;
      for (let next = await nextCheckOf(id); next !== null; next = await nextCheckOf(id)) {
        nowMs = next.getTime();
        await job.run();
        days += 1;
      }
      expect(days).toBe(30);
      dns.publish(records);
      expect(await verify(id)).toMatchObject({ status: 'verified' });
      expect(await told()).toEqual(['domain.failed', 'domain.verified']);
    });
  });

  it('is unknown to others, and gone once it is deleted', async () => {
    const { id } = await created();
    const foreign = { workspace_id: newId(), id };
    expect(await calls.getDomain(foreign)).toEqual({ domain: null });
    expect(await calls.verifyDomain(foreign)).toEqual({ domain: null, replayed: false });
    expect(await calls.deleteDomain(foreign)).toEqual({ deleted: false });
    expect(await calls.deleteDomain({ workspace_id: workspaceId, id })).toEqual({
      deleted: true,
    });
    expect(await verify(id)).toBeNull();
  });
});
