import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { loadConfig } from '@watchword/config';
import {
  type AcceptBatchRequest,
  type AcceptRequest,
  billingCalls,
  type BillingCalls,
  callRoute,
  type LedgerEntry,
  type LedgerQuery,
  newId,
  OPERATIONS,
  type Outcome,
  type Page,
  type Plan,
  type PutPlanBody,
  type RefundMessage,
  type Route,
  type RouteRequest,
  routes,
  type SendRequest,
  type WorkspaceId,
} from '@watchword/contracts';
import type { DatabasePool, ServiceDatabase } from '@watchword/postgres';
import {
  FakeClock,
  openTransport,
  testDatabase,
  type TestDatabase,
  testPlatform,
} from '@watchword/testing';
import { TopUpHandler } from '../src/accounts/top-up.handler.js';
import { BillingModule } from '../src/billing.module.js';
import { billingService } from '../src/index.js';
import { LedgerAuditHandler } from '../src/ledger/ledger-audit.handler.js';
import { LedgerAuditStore } from '../src/ledger/ledger-audit.store.js';
import type { PaymentProvider } from '../src/payments/payment-provider.port.js';
import { PaymentProviders } from '../src/payments/providers.js';
import { PriceListCache } from '../src/prices/price-list.cache.js';
import { RefundStore } from '../src/refunds/refund.store.js';

const { config: CONFIG } = loadConfig({ ENCRYPTION_KEYS: '0f'.repeat(32) });

export interface TestBilling {
  calls: TestCalls;
  clock: FakeClock;
  database: TestDatabase;
  pool: DatabasePool;
  /** The ledger must be correct at the end of every spec. */
  close(): Promise<void>;
}

export function openTestDatabase(poolSize = 4): Promise<TestDatabase> {
  const { migrations, functions } = billingService;
  return testDatabase({ service: 'billing', migrations, functions, poolSize });
}

type EntriesOf = LedgerQuery & { workspace_id: WorkspaceId };

/** The calls of billing, and what its routes for operators do in the same form. */
export interface TestCalls extends BillingCalls {
  readonly topUp: TopUpHandler['topUp'];
  listEntries(request: EntriesOf): Promise<Page<LedgerEntry>>;
  getPlan(request: { workspace_id: WorkspaceId }): Promise<Plan>;
  setPlan(request: PutPlanBody & { workspace_id: WorkspaceId }): Promise<Plan>;
}

export type Serve = <Body>(route: Route, request: RouteRequest) => Promise<Outcome<Body>>;

export interface Replica {
  readonly calls: TestCalls;
  /** Calls a route of billing, as the gateway does. */
  readonly serve: Serve;
  readonly module: TestingModule;
}

/**
 * Opens one replica of billing on a database that others may share. It answers calls; its jobs do
 * not run.
 */
export async function replica(
  database: ServiceDatabase,
  clock: FakeClock,
  providers: readonly PaymentProvider[] = [],
): Promise<Replica> {
  const platform = testPlatform({ config: CONFIG, database, clock });
  const module = await Test.createTestingModule({ imports: [BillingModule.with(platform)] })
    .overrideProvider(PaymentProviders)
    .useValue(new PaymentProviders(providers))
    .compile();
  await openTransport(module);
  await module.get(PriceListCache, { strict: false }).refresh();
  const serve: Serve = (route, request) =>
    callRoute(platform.rpc.client(OPERATIONS.billing), route, request);
  const handler = module.get(TopUpHandler, { strict: false });
  const calls: TestCalls = {
    ...platform.rpc.client(billingCalls),
    topUp: (request) => handler.topUp(request),
    listEntries: async ({ workspace_id, ...query }) =>
      (await serve<Page<LedgerEntry>>(routes.listWorkspaceLedgerEntries, { workspace_id, query }))
        .body!,
    getPlan: async (request) => (await serve<Plan>(routes.getPlan, request)).body!,
    setPlan: async ({ workspace_id, ...body }) =>
      (await serve<Plan>(routes.putPlan, { workspace_id, body })).body!,
  };
  return { calls, serve, module };
}

export async function replicaOn(pool: DatabasePool, clock: FakeClock): Promise<TestCalls> {
  return (await replica({ service: 'billing', pool } as ServiceDatabase, clock)).calls;
}

export async function openBilling(): Promise<TestBilling> {
  const database = await openTestDatabase();
  const { pool } = database;
  const clock = new FakeClock();
  const close = async () => {
    const faults = await ledgerFaults(pool);
    await database.drop();
    expect(faults).toEqual([]);
  };
  return { database, pool, clock, calls: await replicaOn(pool, clock), close };
}

export async function openWallet(calls: BillingCalls, credits: number): Promise<WorkspaceId> {
  const workspaceId = newId<WorkspaceId>();
  await calls.openAccount({ workspace_id: workspaceId, credits, kind: 'bonus' });
  return workspaceId;
}

export async function balanceOf(calls: BillingCalls, workspaceId: WorkspaceId): Promise<number> {
  return (await calls.getAccount({ workspace_id: workspaceId }))!.balance;
}

/** Returns an SMS to Nigeria: 5 credits per segment. */
export function send(workspaceId: WorkspaceId, over: Partial<SendRequest> = {}): AcceptRequest {
  return {
    idempotency: null,
    send: {
      message_id: newId(),
      workspace_id: workspaceId,
      test_mode: false,
      kind: 'sms',
      family: 'a',
      destination: '+2348031234567',
      country_code: 'NG',
      network: 'mtn_ng',
      sender_id: null,
      segments: 1,
      metadata: { order: 'A "quoted" \\ ordér' },
      sms: {
        body: 'Your parcel is here, {brace} and \\backslash',
        original_body: null,
        encoding: 'GSM-7',
        rewritten: false,
        anti_spam: 'off',
      },
      otp: null,
      ...over,
    },
  };
}

export function keyed(request: AcceptRequest, key: string = randomUUID(), body = 'same') {
  const scope = `${request.send.test_mode ? 'test' : 'live'} POST /v1/sms/send`;
  return { ...request, idempotency: { scope, key, fingerprint: body } };
}

export const BATCH_SCOPE = 'live POST /v1/sms/batch';

/**
 * Returns a batch of sends of one workspace. A text is an error that the caller found in the item.
 */
export function batchOf(
  workspaceId: WorkspaceId,
  items: (AcceptRequest | string)[],
  idempotency: AcceptBatchRequest['idempotency'] = null,
): AcceptBatchRequest {
  return {
    workspace_id: workspaceId,
    items: items.map((item) => (typeof item === 'string' ? { error: item } : { send: item.send })),
    idempotency,
  };
}

export function refundOf(request: AcceptRequest): RefundMessage {
  const { message_id, workspace_id } = request.send;
  return { message_id, workspace_id, reason: 'no_route', requested_at: '2026-01-05T09:00:00.000Z' };
}

export function refund(
  pool: DatabasePool,
  requests: AcceptRequest[],
  at = '2026-01-05T09:00:01.000Z',
) {
  return new RefundStore(pool).refund(requests.map(refundOf), at);
}

/** Returns each message once, as it waits for one of its readers. */
export async function queueOf(pool: DatabasePool, topic: string) {
  const { rows } = await pool.query<{ key: string; message_id: string; payload: string }>(
    `SELECT key, message_id, payload FROM billing.message_queue
     WHERE topic = $1 GROUP BY key, message_id, payload ORDER BY min(position)`,
    [topic],
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as object }));
}

export function ledgerFaults(pool: DatabasePool) {
  return new LedgerAuditHandler(new LedgerAuditStore(pool)).handle({ accounts: 7, entries: 5 });
}

export async function count(pool: DatabasePool, table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*) AS n FROM billing.${table}`);
  return rows[0]!.n;
}
