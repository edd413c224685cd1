/** A route that is added later cannot escape `tests/api/walls.spec.ts`. */
import { expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { routesOf } from '@watchword/contracts';
import { doorsOf } from './doors.js';

const family = {
  tag: 'Invoices',
  guard: 'key',
  limits: { errorType: 'rate_limit_exceeded' },
} as const;
const summary = 'Of an invoice';

it.each([
  ['GET /v1/invoices/:id', routesOf(family, { get: { at: 'GET /v1/invoices/:id', summary } })],
  [
    'POST /v1/invoices/pay: invoice_id',
    routesOf(family, {
      pay: {
        at: 'POST /v1/invoices/pay',
        summary,
        body: Type.Object({ lines: Type.Array(Type.Object({ invoice_id: Type.String() })) }),
      },
    }),
  ],
])('%s has to say what makes a record', (name, routes) => {
  const sentence = `${name} takes an id: say in MAKERS of tests/support/doors.ts what makes such a record.`;
  expect(() => doorsOf(Object.values(routes), {})).toThrow(sentence);
});

it('a tool that takes an id, too', () => {
  const tools = { get_invoice: { input: Type.Object({ id: Type.String() }) } };
  expect(() => doorsOf([], tools)).toThrow('get_invoice: id takes an id');
});

it('finds the ids of today', () => {
  expect(doorsOf().length).toBeGreaterThanOrEqual(38);
});
