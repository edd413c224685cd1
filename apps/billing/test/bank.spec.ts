import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AcceptRequest, WorkspaceId } from '@watchword/contracts';
import { createPool, type DatabasePool } from '@watchword/postgres';
import {
  keyed,
  ledgerFaults,
  openBilling,
  openWallet,
  refund,
  replicaOn,
  send,
  type TestBilling,
  type TestCalls,
} from './billing.kit.js';

const WORKSPACES = 20;
const OPERATIONS = 3_000;
const SEED = 20_260_105;

/** Mulberry32: small, seeded, random enough to choose operations. A failure can be replayed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The expected final books, computed from the answers alone. */
class Books {
  private readonly expected = new Map<string, number>();
  readonly charges: AcceptRequest[] = [];

  add(workspace: string, credits: number): void {
    this.expected.set(workspace, (this.expected.get(workspace) ?? 0) + credits);
  }

  balances(): [string, number][] {
    return [...this.expected].toSorted();
  }
}

let billing: TestBilling;
let replicas: TestCalls[];
let second: DatabasePool;

beforeAll(async () => {
  billing = await openBilling();
  const { url } = billing.database;
  second = createPool({ url, schema: 'billing', max: 4, applicationName: 'second' });
  replicas = [billing.calls, await replicaOn(second, billing.clock)];
});

afterAll(async () => {
  await second?.end();
  await billing?.close();
});

async function operate(
  random: (below: number) => number,
  workspaces: readonly WorkspaceId[],
  books: Books,
): Promise<void> {
  const { pool } = billing.database;
  const calls = replicas[random(2)]!;
  // A fifth of the traffic belongs to one workspace.
  const workspace = workspaces[random(5) === 0 ? 0 : random(WORKSPACES)]!;
  const choice = random(100);
  if (choice < 70) {
    const plain = send(workspace, { segments: 1 + random(6), test_mode: random(20) === 0 });
    const request = random(3) === 0 ? keyed(plain, `key-${random(400)}`) : plain;
    const result = await calls.accept(request);
    if (result.verdict !== 'accepted' || request.send.test_mode) return;
    books.add(workspace, -result.command.credits);
    books.charges.push(request);
  } else if (choice < 90) {
    const start = random(books.charges.length + 1);
    await refund(pool, books.charges.slice(start, start + 1 + random(20)));
  } else if (choice < 92) {
    await calls.setPlan({
      workspace_id: workspace,
      sms_segments_per_month: random(3) * random(40),
      emails_per_month: 0,
    });
  } else {
    const credits = random(200) - 60;
    const kind = credits < 0 ? 'adjustment' : 'purchase';
    const topUp = { workspace_id: workspace, credits, kind, idempotency: null } as const;
    const result = await calls.topUp(topUp);
    if (result.verdict === 'done') books.add(workspace, credits);
  }
}

describe('a bank', () => {
  it('stays right under thousands of concurrent operations of every kind', async () => {
    const random = randomFrom(SEED);
    const books = new Books();
    const workspaces: WorkspaceId[] = [];
    for (let index = 0; index < WORKSPACES; index += 1) {
      const credits = random(300);
      workspaces.push(await openWallet(billing.calls, credits));
      books.add(workspaces.at(-1)!, credits);
    }
    const failures: unknown[] = [];
    let left = OPERATIONS;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        await operate(random, workspaces, books).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: 48 }, client));

    expect(failures).toEqual([]);
    expect(await ledgerFaults(billing.database.pool)).toEqual([]);
    const refunds = await billing.database.pool.query<{ workspace: string; credits: number }>(
      `SELECT workspace_id AS workspace, sum(credits)::bigint AS credits
       FROM billing.entries WHERE kind = 'refund' GROUP BY workspace_id`,
    );
    expect(refunds.rows.length).toBeGreaterThan(0);
    const { rows: inKind } = await billing.database.pool.query<{ kind: string }>(
      'SELECT DISTINCT kind FROM billing.entries WHERE granted_segments > 0 ORDER BY kind',
    );
    expect(inKind.map(({ kind }) => kind)).toEqual(['charge', 'refund']);
    for (const { workspace, credits } of refunds.rows) books.add(workspace, credits);
    const { accounts } = await billing.calls.getAccounts({ workspace_ids: workspaces });
    const balances = accounts.map(({ workspace_id, balance }) => [workspace_id, balance] as const);
    expect(balances.toSorted()).toEqual(books.balances());
  });
});
