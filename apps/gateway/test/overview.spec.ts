import { beforeAll, expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, newOwner } from './person.kit.js';

useGateway();

let owner: Awaited<ReturnType<typeof newOwner>>;
beforeAll(async () => {
  owner = await newOwner(gateway);
});

it.each([
  ['?from=2026-11-01T10:20:00Z&to=2026-11-01T11:40:00Z', '2026-11-01T10', '2026-11-01T12'],
  [
    '?interval=day&from=2026-11-01T10:20:00Z&to=2026-11-02T01:00:00Z',
    '2026-11-01T00',
    '2026-11-03T00',
  ],
  ['?to=2026-11-08T00:00:00Z', '2026-11-01T00', '2026-11-08T00'],
])('GET /dashboard/overview%s covers whole hours or days', async (query, from, to) => {
  const { status, body } = await dashboard(owner, 'GET', `overview${query}`);
  expect([status, body.from, body.to]).toEqual([200, `${from}:00:00.000Z`, `${to}:00:00.000Z`]);
});

it.each([
  '?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
  '?from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z',
  '?from=1066-10-14&interval=day',
  '?from=yesterday',
])('GET /dashboard/overview%s is refused', async (query) => {
  const { status, body } = await dashboard(owner, 'GET', `overview${query}`);
  expect([status, body.error.type, body.error.field]).toEqual([400, 'validation_error', 'from']);
});
