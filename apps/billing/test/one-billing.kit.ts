import { afterAll, beforeAll } from '@jest/globals';
import type { DatabasePool } from '@watchword/postgres';
import { openBilling, type TestBilling, type TestCalls } from './billing.kit.js';

/** The service of the spec file, which `useBilling` opens before its tests. */
export let billing: TestBilling;
export let calls: TestCalls;
export let pool: DatabasePool;

export function useBilling(): void {
  beforeAll(async () => {
    billing = await openBilling();
    ({ calls, pool } = billing);
  });

  afterAll(() => billing?.close());
}
