import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { asId, type WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { FakeClock } from '@watchword/testing';
import { BillingJobs } from './jobs.js';
import type { LedgerFault } from './ledger/ledger-audit.policy.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Finds nothing to do. */
const idle = new Proxy({}, { get: () => async () => 0 }) as never;

it('audits the ledger soon after the start, and then every hour', async () => {
  const fault: LedgerFault = {
    workspaceId: asId<WorkspaceId>('0198f3c0-7b7a-7cc0-8000-000000000001'),
    fault: 'balance is not the sum of the entries',
    entryId: null,
  };
  const audit = jest.fn(async () => [fault]);
  const error = jest.fn();
  const logger = { error } as unknown as Logger;
  const ledger = { handle: audit } as never;
  const jobs = new BillingJobs(new FakeClock(), logger, idle, idle, idle, idle, ledger);
  jobs.start();
  // Not at the start itself, which must answer calls first.
  await jest.advanceTimersByTimeAsync(0);
  expect(audit).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(audit).toHaveBeenCalledTimes(1);
  expect(error.mock.calls).toEqual([[fault, 'the ledger is wrong']]);
  await jest.advanceTimersByTimeAsync(60 * 60_000);
  expect(audit).toHaveBeenCalledTimes(2);
  await jobs.stop();
});

it('the jobs look for low balances and for due payments every 5 seconds', async () => {
  const begin = jest.fn(async () => false);
  const handle = jest.fn(async () => false);
  const logger = { error: jest.fn() } as unknown as Logger;
  const [topUps, payments] = [{ begin } as never, { handle } as never];
  const jobs = new BillingJobs(new FakeClock(), logger, topUps, payments, idle, idle, idle);
  jobs.start();
  await jest.advanceTimersByTimeAsync(15_000);
  await jobs.stop();
  expect([begin.mock.calls.length, handle.mock.calls.length]).toEqual([3, 3]);
});
