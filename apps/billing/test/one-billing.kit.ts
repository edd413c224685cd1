import { afterAll, beforeAll } from '@jest/globals';
import type { BillingCalls } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import { openBilling, type TestBilling } from './billing.kit.js';

/** The service of the spec file, which `useBilling` opens before its tests. */
export let billing: TestBilling;
export let calls: BillingCalls;
export let pool: DatabasePool;

export function useBilling(): void {
  beforeAll(async () => {
    billing = await openBilling();
    ({ calls, pool } = billing);
  });

  afterAll(() => billing?.close());
}
