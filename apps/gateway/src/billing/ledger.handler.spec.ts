import { expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { LedgerHandler } from './ledger.handler.js';

const statement = { opening: 0, charges: [], refunds: [], top_ups: [], closing: 0 };

const read = (month: string) => {
  const billing = {
    getStatement: () => Promise.resolve({ month, ...statement }),
  };
  const clock = new FakeClock(Date.parse('2026-11-30T23:59:59.999Z'));
  const owners = { billing: {} };
  return new LedgerHandler(billing, owners, clock).statement(newId<WorkspaceId>(), month);
};

it.each(['2026-11', '2020-01'])('the statement of %s is answered', async (month) => {
  expect(await read(month)).toEqual({ month, ...statement });
});

it.each(['2026-12', '2027-01', '2099-12'])('the future month %s is refused', async (month) => {
  const refusal = { type: 'validation_error', field: 'month' };
  await expect(read(month)).rejects.toMatchObject(refusal);
});

it.each(['2026-13', '26-11', ''])('"%s" is no month', async (month) => {
  await expect(read(month)).rejects.toMatchObject({ type: 'not_found' });
});
