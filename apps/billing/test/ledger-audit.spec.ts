import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkspaceId } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { LedgerAuditHandler } from '../src/ledger/ledger-audit.handler.js';
import { LedgerAuditStore } from '../src/ledger/ledger-audit.store.js';
import { openBilling, openWallet, refund, send, type TestBilling } from './billing.kit.js';

/** So small that every account here has several pages, and its refund another page than its charge. */
const SIZES = { accounts: 2, entries: 2 };
let billing: TestBilling;
let audit: LedgerAuditHandler;
/** Entries that were read by the audits of a test. */
let read = 0;

class CountingStore extends LedgerAuditStore {
  override async pages(...asked: Parameters<LedgerAuditStore['pages']>) {
    const pages = await super.pages(...asked);
    read += pages.reduce((sum, { page }) => sum + page.entries, 0);
    return pages;
  }
}

beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());
beforeEach(() => {
  audit = new LedgerAuditHandler(new CountingStore(billing.pool));
  read = 0;
});

const run = () => audit.handle(SIZES);

async function entries(workspaceId: WorkspaceId, sends: number) {
  const requests = Array.from({ length: sends }, () => send(workspaceId));
  for (const request of requests) await billing.calls.accept(request);
  return requests;
}

/** What only a superuser can do, with the triggers off. */
async function tampering(text: string, values: unknown[]): Promise<void> {
  const client = createClient({
    url: billing.database.adminUrl,
    applicationName: 'tamperer',
  });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(text, values);
  await client.end();
}

describe('the audit of the ledger', () => {
  it('reads everything once, and then what is new', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => openWallet(billing.calls, 1_000)));
    for (const id of ids) await entries(id, 5);
    expect(await run()).toEqual([]);
    expect(read).toBe(3 * 6);
    const [request] = await entries(ids[0]!, 1);
    await refund(billing.pool, [request!]);
    expect(await run()).toEqual([]);
    expect(read).toBe(3 * 6 + 2);
  });

  it('finds a wrong entry on any page, again and again until it is corrected', async () => {
    const workspaceId = await openWallet(billing.calls, 1_000);
    await entries(workspaceId, 6);
    expect(await run()).toEqual([]);
    const shift = (credits: number) =>
      tampering(
        'UPDATE billing.entries SET credits = credits + $2 WHERE workspace_id = $1 AND ordinal = 4',
        [workspaceId, credits],
      );
    await shift(-1);
    audit = new LedgerAuditHandler(new LedgerAuditStore(billing.pool));
    const broken = [
      { workspaceId, fault: 'running balance is broken', entryId: expect.any(String) },
      { workspaceId, fault: 'balance is not the sum of the entries', entryId: null },
    ];
    expect(await run()).toEqual(broken);
    expect(await run()).toEqual(broken);
    await shift(1);
    expect(await run()).toEqual([]);
  });

  it('finds a missing entry, and a refund that differs from its charge in an earlier page', async () => {
    const workspaceId = await openWallet(billing.calls, 1_000);
    const [first] = await entries(workspaceId, 6);
    await refund(billing.pool, [first!]);
    await tampering(
      `UPDATE billing.entries SET key_id = gen_random_uuid() WHERE workspace_id = $1 AND kind = 'refund'`,
      [workspaceId],
    );
    expect(await run()).toEqual([
      { workspaceId, fault: 'refund differs from the charge', entryId: expect.any(String) },
    ]);
    await tampering(
      `UPDATE billing.entries SET key_id = NULL WHERE workspace_id = $1 AND kind = 'refund'`,
      [workspaceId],
    );
    const count = (by: number) =>
      billing.pool.query(
        'UPDATE billing.accounts SET entry_count = entry_count + $2 WHERE workspace_id = $1',
        [workspaceId, by],
      );
    await count(1);
    expect(await run()).toEqual([
      { workspaceId, fault: 'entries are missing or too many', entryId: null },
    ]);
    await count(-1);
    expect(await run()).toEqual([]);
  });
});
