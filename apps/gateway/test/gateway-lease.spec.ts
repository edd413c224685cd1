import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { testDatabase, type TestDatabase, waitUntil } from '@watchword/testing';
import type { Change } from '../src/invalidation/change.js';
import { GatewayLease } from '../src/invalidation/gateway-lease.js';
import { gatewayService } from '../src/index.js';
import { PriceListVersionStore } from '../src/billing/price-list-version.store.js';

const logger = createLogger({ service: 'spec', level: 'silent' });
/** More than a single renewal could report first. */
const changesMade = 3;
/** On a machine that stands still, renewals report many. */
const changesMax = 30;
/** Milliseconds. Half of what a lease lasts. */
const QUICK_MS = 1_000;

class Edge {
  readonly lease: GatewayLease;
  readonly changes: Change[] = [];
  forgotten = 0;
  /** Milliseconds that it takes to apply a change. */
  delayMs = 0;

  constructor(database: TestDatabase) {
    this.lease = new GatewayLease(database, logger);
    this.lease.listen({
      changed: async (change) => {
        await pause(this.delayMs);
        this.changes.push(change);
      },
      forgetAll: async () => {
        await pause(this.delayMs);
        this.forgotten += 1;
      },
    });
    this.lease.start();
  }

  async live(): Promise<this> {
    await waitUntil('a lease', () => this.lease.mayAnswerFromMemory());
    return this;
  }
}

let database: TestDatabase;
let workspaceId: WorkspaceId;
const edges: Edge[] = [];

beforeEach(async () => {
  const { migrations } = gatewayService;
  database = await testDatabase({ service: 'gateway', migrations });
  workspaceId = newId();
  await database.pool.query(
    `INSERT INTO workspaces (id, name, billing_country) VALUES ($1, 'One', 'NG')`,
    [workspaceId],
  );
});

afterEach(async () => {
  await Promise.all(edges.splice(0).map(({ lease }) => lease.stop()));
  await database.drop();
});

const newEdge = (): Edge => {
  const edge = new Edge(database);
  edges.push(edge);
  return edge;
};

const change = () =>
  database.pool.query(`UPDATE workspaces SET name = 'Two' WHERE id = $1`, [workspaceId]);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Checks that changes were announced during the work. A listener without a lease may find a
 * change by its renewal first and drop everything.
 */
async function announcedWhile(work: () => Promise<void>): Promise<Change[]> {
  const listener = createClient({ url: database.url, applicationName: 'spec', schema: 'gateway' });
  const changes: Change[] = [];
  listener.on('notification', ({ payload }) => changes.push(JSON.parse(payload ?? '') as Change));
  await listener.connect();
  await listener.query('LISTEN gateway_changes');
  await work();
  // An announcement made before a question arrives with its answer at the latest.
  await listener.query('SELECT');
  await listener.end();
  return changes;
}

/** Allows or forbids the gateways' connections, and cuts them. */
async function allowConnections(allowed: boolean): Promise<void> {
  const url = new URL(database.adminUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = createClient({ url: url.href, applicationName: 'spec' });
  await admin.connect();
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
  if (!allowed) {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'watchword-gateway-lease' AND datname = $1`,
      [name],
    );
  }
  await admin.end();
}

async function timed(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

/** Returns the least of three times, because the machine may stand still during one. */
async function quickestChange({ lease }: { lease: GatewayLease }): Promise<number> {
  const tookMs: number[] = [];
  for (let changed = 0; changed < 3; changed += 1) {
    await change();
    tookMs.push(await timed(lease.everyoneKnows()));
  }
  return Math.min(...tookMs);
}

describe('the lease of an edge', () => {
  it('announces a change to every gateway, and waits until each uses it', async () => {
    const [one, two] = [await newEdge().live(), await newEdge().live()];
    [one, two].forEach((edge) => (edge.delayMs = 150));
    let heardByBoth = 0;
    for (let number = 1; heardByBoth < changesMade; number += 1) {
      expect(number).toBeLessThan(changesMax);
      for (const edge of edges) await edge.live();
      const before = edges.map(({ forgotten, changes }) => ({ forgotten, count: changes.length }));
      await change();
      const tookMs = await timed(one.lease.everyoneKnows());
      // A renewal may report it first, and then everything is dropped. No wait is due for one
      // that the machine stopped for as long as its lease.
      const hasLapsed = ({ lease, forgotten }: Edge, index: number) =>
        !lease.mayAnswerFromMemory() || forgotten !== before[index]!.forgotten;
      if (edges.some(hasLapsed)) continue;
      heardByBoth += 1;
      const heard = [{ number, kind: 'workspace', id: workspaceId }];
      for (const [index, { changes }] of edges.entries()) {
        expect(changes.slice(before[index]!.count)).toEqual(heard);
      }
      expect(tookMs).toBeGreaterThan(100);
      expect(tookMs).toBeLessThan(5_000);
    }
    for (const { changes } of edges) expect(changes).not.toEqual([]);
  });

  it('announces keys, settings and prices, also when keys are revoked again', async () => {
    const keyId = newId();
    const changes = await announcedWhile(async () => {
      await database.pool.query(
        `INSERT INTO api_keys (id, workspace_id, token_hash, mode, permission, name, prefix, last4)
         VALUES ($1, $2, sha256('x'), 'live', 'full', '', '', '')`,
        [keyId, workspaceId],
      );
      const revoke = `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1`;
      for (let time = 1; time <= 2; time += 1) await database.pool.query(revoke, [keyId]);
      await database.pool.query('INSERT INTO platform_settings DEFAULT VALUES');
      const versions = new PriceListVersionStore(database.pool);
      for (const version of [3, 2]) await versions.reached(version);
    });
    expect(changes).toEqual([
      { number: 1, kind: 'key', id: keyId },
      { number: 2, kind: 'key', id: keyId },
      { number: 3, kind: 'settings', id: null },
      { number: 4, kind: 'prices', id: null },
      { number: 5, kind: 'prices', id: null },
    ]);
    const { rows } = await database.pool.query('SELECT version FROM price_list_version');
    expect(rows).toEqual([{ version: 3 }]);
  });

  it('waits for one that fell silent until its lease is over, and no longer', async () => {
    const one = await newEdge().live();
    // The row that a stopped, killed or disconnected gateway leaves.
    await database.pool.query(
      `INSERT INTO edges VALUES ($1, 0, clock_timestamp() + interval '700 milliseconds')`,
      [newId()],
    );
    await change();
    const tookMs = await timed(one.lease.everyoneKnows());
    expect(tookMs).toBeGreaterThan(600);
    expect(tookMs).toBeLessThan(5_000);
  });

  it('does not wait for one that left', async () => {
    const [one, two] = [await newEdge().live(), await newEdge().live()];
    await two.lease.stop();
    expect(two.lease.mayAnswerFromMemory()).toBe(false);
    expect(await quickestChange(one)).toBeLessThan(QUICK_MS);
  });

  it('expires while it is unused, still follows changes, and is renewed on the next question', async () => {
    const [one, idle] = [await newEdge().live(), await newEdge().live()];
    const until = performance.now() + 8_000;
    await waitUntil('a pause', () => one.lease.mayAnswerFromMemory() && performance.now() > until);
    await waitUntil('one lease', async () => {
      const { rows } = await database.pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM edges WHERE lease_until > clock_timestamp()',
      );
      return rows[0]!.count === 1 && one.lease.mayAnswerFromMemory();
    });
    const heard = idle.changes.length;
    idle.delayMs = 6_000;
    await change();
    expect(await timed(one.lease.everyoneKnows())).toBeLessThan(idle.delayMs - 200);
    idle.delayMs = 0;
    expect(idle.lease.mayAnswerFromMemory()).toBe(false);
    await idle.live();
    expect(idle.changes.length + idle.forgotten).toBeGreaterThan(heard);
    await change();
    await one.lease.everyoneKnows();
    await idle.live();
  });

  it('is lapsed when the database cannot be reached, and forgets all when it can again', async () => {
    const one = await newEdge().live();
    const before = one.forgotten;
    await allowConnections(false);
    await waitUntil('the end of the lease', () => !one.lease.mayAnswerFromMemory());
    await allowConnections(true);
    await change();
    await one.live();
    expect(one.forgotten).toBeGreaterThan(before);
    expect(await quickestChange(one)).toBeLessThan(QUICK_MS);
  });

  it('loses none of many changes at once, and keeps their order', async () => {
    const [one, two] = [await newEdge().live(), await newEdge().live()];
    await Promise.all(Array.from({ length: 40 }, () => change()));
    await two.lease.everyoneKnows();
    const numbers = one.changes.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    // Changes that it did not get one by one made it drop everything.
    expect(numbers.length === 40 || one.forgotten > 1).toBe(true);
    await change();
    await one.lease.everyoneKnows();
    await Promise.all([one.live(), two.live()]);
  });
});
