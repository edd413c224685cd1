/** `/v1` beside that of the last release: it only grows (decisions 10). */
import { expect, it } from '@jest/globals';
import { broken } from './api-facts.ts';
import { currentApi, lastRecord } from './released.ts';

const { api: released } = lastRecord();

it('takes nothing from a client of the last release, and asks no more of it', () => {
  expect(released.can.length).toBeGreaterThan(1_000);
  expect(broken(released, currentApi())).toEqual([]);
});

it.each([
  'GET /v1/sms',
  'GET /v1/sms takes query country',
  'POST /v1/otp/send takes language = "fr": word',
  'POST /v1/emails/batch answers data[].index: integer',
  'GET /v1/otp/{id} answers timeline[].status: string',
  'GET /v1/otp/{id} may answer refunded: boolean',
])('sees that this is gone: %s', (fact) => {
  const { can, must } = currentApi();
  expect(can).toContain(fact);
  expect(broken(released, { can: can.filter((one) => one !== fact), must })).toEqual([fact]);
});

it('sees what became required or nullable, but not where it is new', () => {
  const { can, must } = currentApi();
  const worse = ['POST /v1/otp/send needs language', 'GET /v1/otp/{id} bears status: null'];
  const added = [...worse, 'POST /v1/new needs name', 'GET /v1/otp/{id} bears new: null'];
  expect(broken(released, { can, must: [...must, ...added] })).toEqual(worse);
});
