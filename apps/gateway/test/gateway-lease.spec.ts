import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { testDatabase, type TestDatabase, waitUntil } from '@watchword/testing';
import type { Change } from '../src/invalidation/change.js';
import { GatewayLease } from '../src/invalidation/gateway-lease.js';
import { gatewayService } from '../src/index.js';

const logger = createLogger({ service: 'spec', level: 'silent' });
/** More than a single renewal could report first. */
const changesMade = 3;
/** On a machine that stands still, renewals report many. */
const changesMax = 30;

class Edge {
  readonly lease: GatewayLease;
  readonly changes: Change[] = [];
  forgotten = 0;
  /** Set while it cannot apply a change. */
  gate: Promise<void> | undefined;

  constructor(database: TestDatabase) {
    this.lease = new GatewayLease(database, logger);
    this.lease.listen({
      changed: async (change) => {
        await this.gate;
        this.changes.push(change);
      },
      forgetAll: async () => {
        await this.gate;
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

describe('the lease of an edge', () => {
  it('announces a change to every gateway, and waits until each uses it', async () => {
    const [one] = [await newEdge().live(), await newEdge().live()];
    let heardByBoth = 0;
    for (let number = 1; heardByBoth < changesMade; number += 1) {
      expect(number).toBeLessThan(changesMax);
      for (const edge of edges) await edge.live();
      const before = edges.map(({ forgotten, changes }) => ({ forgotten, count: changes.length }));
      const gates = edges.map(() => Promise.withResolvers<void>());
      edges.forEach((edge, index) => (edge.gate = gates[index]!.promise));
      await change();
      let isKnown = false;
      const known = one.lease.everyoneKnows().then(() => (isKnown = true));
      gates[0]!.resolve();
      await database.pool.query('SELECT');
      const isKnownEarly = isKnown;
      gates[1]!.resolve();
      await known;
      // A renewal may report it first, and then everything is dropped. No wait is due for one
      // that the machine stopped for as long as its lease.
      const hasLapsed = ({ lease, forgotten }: Edge, index: number) =>
        !lease.mayAnswerFromMemory() || forgotten !== before[index]!.forgotten;
      if (edges.some(hasLapsed)) continue;
      heardByBoth += 1;
      expect(isKnownEarly).toBe(false);
      const heard = [{ number, kind: 'workspace', id: workspaceId }];
      for (const [index, { changes }] of edges.entries()) {
        expect(changes.slice(before[index]!.count)).toEqual(heard);
      }
    }
    for (const { changes } of edges) expect(changes).not.toEqual([]);
  });

  it('waits for one that fell silent until its lease is over', async () => {
    const one = await newEdge().live();
    const silent = newId();
    // The row that a stopped, killed or disconnected gateway leaves.
    await database.pool.query(
      `INSERT INTO edges VALUES ($1, 0, clock_timestamp() + interval '700 milliseconds')`,
      [silent],
    );
    await change();
    await one.lease.everyoneKnows();
    const { rows } = await database.pool.query(
      'SELECT lease_until < clock_timestamp() AS is_over FROM edges WHERE id = $1',
      [silent],
    );
    expect(rows).toEqual([{ is_over: true }]);
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
    await change();
    await one.lease.everyoneKnows();
  });
});
