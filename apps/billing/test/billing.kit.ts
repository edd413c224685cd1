import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  type AcceptBatchRequest,
  type AcceptRequest,
  type BillingCalls,
  newId,
  type RefundMessage,
  type SendRequest,
} from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import { FakeClock, testDatabase, type TestDatabase } from '@watchword/testing';
import { createLogger } from '@watchword/observability';
import { createBillingCalls } from '../src/billing.rpc.js';
import { billingService } from '../src/index.js';
import { auditLedger } from '../src/ledger/ledger-audit.job.js';
import { LedgerAuditStore } from '../src/ledger/ledger-audit.store.js';
import { Payments } from '../src/payments/payments.js';
import { PaymentProviders } from '../src/payments/providers.js';
import { PriceListCache } from '../src/prices/price-list.cache.js';
import { PriceListStore } from '../src/prices/price-list.store.js';
import { RefundStore } from '../src/refunds/refund.store.js';

export interface TestBilling {
  calls: BillingCalls;
  clock: FakeClock;
  database: TestDatabase;
  pool: DatabasePool;
  /** Whatever a spec has done, the ledger must be sound at its end. */
  close(): Promise<void>;
}

export function openTestDatabase(poolSize = 4): Promise<TestDatabase> {
  const { migrations, functions } = billingService;
  return testDatabase({ service: 'billing', migrations, functions, poolSize });
}

/** One replica of billing on a database that others may share. */
export async function replicaOn(pool: DatabasePool, clock: FakeClock): Promise<BillingCalls> {
  const prices = new PriceListCache(new PriceListStore(pool), clock);
  await prices.refresh();
  const payments = new Payments({
    ...{ pool, prices, clock },
    logger: createLogger({ service: 'billing', level: 'silent' }),
    providers: new PaymentProviders([]),
    encryptionKeys: [],
  });
  return createBillingCalls(pool, prices, clock, payments).calls;
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

export async function openWallet(calls: BillingCalls, credits: number): Promise<string> {
  const workspaceId = newId();
  await calls.openAccount({ workspace_id: workspaceId, credits, kind: 'bonus' });
  return workspaceId;
}

export async function balanceOf(calls: BillingCalls, workspaceId: string): Promise<number> {
  return (await calls.getAccount({ workspace_id: workspaceId }))!.balance;
}

/** An SMS to Nigeria: 5 credits a segment. */
export function send(workspaceId: string, over: Partial<SendRequest> = {}): AcceptRequest {
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

/** A batch of sends of one workspace; a text is an error that the caller found in the item. */
export function batchOf(
  workspaceId: string,
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

export function refund(pool: DatabasePool, requests: AcceptRequest[]) {
  return new RefundStore(pool).refund(requests.map(refundOf), '2026-01-05T09:00:01.000Z');
}

export async function outboxOf(pool: DatabasePool, topic: string) {
  const { rows } = await pool.query<{ key: string; message_id: string; payload: string }>(
    'SELECT key, message_id, payload FROM billing.outbox WHERE topic = $1 ORDER BY position',
    [topic],
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as object }));
}

export function ledgerFaults(pool: DatabasePool) {
  return auditLedger(new LedgerAuditStore(pool), 7);
}

export async function count(pool: DatabasePool, table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*) AS n FROM billing.${table}`);
  return rows[0]!.n;
}
