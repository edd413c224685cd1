/** Lists and records of variant B: interface sections 2 and 2.8; decisions 16, 17, 18. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 50_000, settings: { limits } });
});

const send = (body: Record<string, unknown> = {}) =>
  customer.post('/v1/sms', { to: freshNumber(), from: 'Acme', body: 'Hello', ...body });

describe('cursors', () => {
  it('decisions 17: cursors belong to one list', async () => {
    for (const name of ['one', 'two']) {
      await customer.post('/v1/sms-templates', { name, body: 'Hi' });
      await send();
      await customer.post('/v1/otp/send', { phone_number: freshNumber() });
    }
    const lists = ['/v1/sms', '/v1/otp', '/v1/sms-templates', '/v1/ledger'];
    const pages = lists.map((path) => customer.get(`${path}?limit=1`));
    const cursors = (await Promise.all(pages)).map(({ json }) => String(json.next_cursor));
    for (const [own, path] of [...lists, '/v1/suppressions'].entries()) {
      for (const [index, cursor] of cursors.entries()) {
        const answer = await customer.get(`${path}?cursor=${cursor}`);
        if (index === own) expect(answer.status).toBe(200);
        else expectError(answer, 400, 'validation_error', 'cursor');
      }
    }
  });
});

describe('records', () => {
  it('decisions 16: a cancelled message has no reason in the words of variant B', async () => {
    const { json } = await send({ send_at: new Date(Date.now() + 3_600_000).toISOString() });
    const cancelled = await customer.post(`/v1/sms/${json.id}/cancel`, {});
    const unexplained = { status: 'cancelled', error_code: null, error_message: null };
    expect(cancelled.json).toMatchObject(unexplained);
    const read = await customer.get(`/v1/sms/${json.id}`);
    expect(read.json).toMatchObject({ ...unexplained, refunded: true });
    expect(read.json).not.toHaveProperty('reason');
    const hop = { status: 'cancelled', timestamp: expect.any(String), refunded: true };
    expect(read.json.timeline).toEqual([hop]);
  });
});

describe('inputs', () => {
  it.each(['/v1/sms', '/v1/otp'])(
    'decisions 4: %s refuses a recipient that is no number in E.164',
    async (path) => {
      const answer = await customer.get(`${path}?to=08031234567`);
      expectError(answer, 400, 'validation_error', 'to');
      for (const to of ['%2B2348031234567', '2348031234567', '+2348031234567']) {
        expect((await customer.get(`${path}?to=${to}`)).status).toBe(200);
      }
    },
  );

  it('decisions 18: a fault of the envelope refuses the whole batch', async () => {
    const messages = [{ to: freshNumber(), body: 'Hi', from: 'Own' }];
    const batch = (more: object) => customer.post('/v1/sms/batch', { ...more, messages });
    expectError(await batch({ from: '12345' }), 400, 'sender_id_invalid', 'from');
    expectError(await batch({ template: 'unknown' }), 400, 'validation_error', 'template');
    expectError(
      await batch({ from: '12345', template: 'unknown' }),
      400,
      'validation_error',
      'template',
    );
    expect((await batch({})).json).toMatchObject({ accepted: 1 });
  });

  it('decisions 25: no slug has the form of an id', async () => {
    const slug = '01a20403-0000-7000-8000-000000000000';
    const answer = await customer.post('/v1/sms-templates', { name: 'Odd', body: 'Hi', slug });
    expectError(answer, 400, 'validation_error', 'slug');
  });
});
