/**
 * Registrations for SMS: templates, sender IDs, and Do Not Disturb numbers. Interface 2.9, 2.10;
 * decisions 19, 24.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { key_per_minute: 100_000, variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 50_000, settings: { limits } });
});

const send = (body: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  customer.post('/v1/sms', { to: freshNumber(), from: 'Acme', body: 'Hello', ...body }, more);

const until = (id: string, status: string, key = customer.liveKey) =>
  customer.smsWith(status, id, { key });

describe('SMS templates', () => {
  it('2.10: SMS templates are created, rendered, sent, changed and deleted', async () => {
    const created = await customer.post('/v1/sms-templates', {
      name: 'Order shipped',
      body: 'Hi {{name}}, order {{order}}.',
    });
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      id: expect.stringMatching(uuidV7),
      project_id: customer.id,
      name: 'Order shipped',
      slug: 'order-shipped',
      body: 'Hi {{name}}, order {{order}}.',
      variables: ['name', 'order'],
      version: 1,
      created_at: expect.stringMatching(instant),
      updated_at: expect.stringMatching(instant),
    });
    const path = `/v1/sms-templates/${created.json.id}`;
    const rendered = await customer.post(`${path}/render`, { variables: { name: 'Ada' } });
    expect([rendered.status, rendered.json]).toEqual([
      200,
      { body: 'Hi Ada, order {{order}}.', segments: 1, encoding: 'GSM-7', missing: ['order'] },
    ]);
    const bare = await customer.post(`${path}/render`, {});
    expect(bare.json).toMatchObject({ body: created.json.body, missing: ['name', 'order'] });
    const template = 'order-shipped';
    const sent = await send({ body: undefined, template, variables: { name: 'Ada', order: 7 } });
    expect(sent.json.body).toBe('Hi Ada, order 7.');
    const missing = await send({ body: undefined, template, variables: { name: 'Ada' } });
    expectError(missing, 400, 'validation_error', 'variables.order');
    for (const same of [{}, { name: 'Order shipped', body: created.json.body }]) {
      const unchanged = await suite.http.patch(path, same, { key: customer.liveKey });
      expect([unchanged.status, unchanged.json]).toEqual([200, created.json]);
    }
    const changed = await suite.http.patch(path, { body: 'Bye' }, { key: customer.liveKey });
    expect(changed.json).toMatchObject({ version: 2, variables: [] });
    const deleted = await suite.http.delete(path, { key: customer.liveKey });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(deleted.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expectError(await customer.get(path), 404, 'not_found');
  });

  it.each([
    ['a brace that begins nothing', { body: '{{' }, 'body'],
    ['three braces', { body: '{{{a}}}' }, 'body'],
    ['a bad slug', { body: 'x', slug: 'Big Slug' }, 'slug'],
    ['no name', { body: 'x', name: '' }, 'name'],
  ])('decisions 19: refuses %s', async (_, body, field) => {
    const answer = await customer.post('/v1/sms-templates', { name: 'T', ...body });
    expectError(answer, 400, 'validation_error', field);
  });

  it('decisions 24: a value in many places makes no text that is longer than allowed', async () => {
    const made = await customer.post('/v1/sms-templates', {
      name: 'Big',
      body: '{{a}}'.repeat(320),
    });
    const { id, slug } = made.json;
    const variables = { a: 'x'.repeat(1_000_000) };
    const rendered = await customer.post(`/v1/sms-templates/${id}/render`, { variables });
    expectError(rendered, 400, 'validation_error', 'template');
    const messages = Array.from({ length: 4 }, () => ({ to: '+2348031234567', variables }));
    const batch = { from: 'Acme', template: slug, messages };
    const { status, json } = await customer.post('/v1/sms/batch', batch);
    expect([status, json.accepted, json.data[3].error.field]).toEqual([202, 0, 'template']);
  });
});

describe('sender IDs', () => {
  const application = {
    sender_id: 'Zenith Foo',
    countries: ['NG'],
    registered_entity: 'Zenith Foo Ltd',
    use_case: 'Order updates',
    sample_message: 'Your order 1 is on its way.',
  };

  it('1.10: sender IDs are open to workspaces that bought 10,000 credits', async () => {
    const answer = await customer.post('/v1/sender-ids', application);
    expectError(answer, 403, 'permission_error');
    expect(answer.json.error.message).toContain('10000');
  });

  it('2.9: sender IDs are requested, reviewed and then enforced', async () => {
    const buyer = await suite.customer({ settings: { sender_id_enforcement: 'enforce' } });
    const topUp = { credits: 10_000, kind: 'purchase' };
    await suite.operator.request('POST', `/workspaces/${buyer.id}/top-ups`, topUp);
    const nowhere = { ...application, countries: ['NG', 'XX'] };
    const refused = await buyer.post('/v1/sender-ids', nowhere);
    expectError(refused, 400, 'validation_error', 'countries.1');
    const bare = { registration_doc_url: null, notes: null };
    const { status, json } = await buyer.post('/v1/sender-ids', { ...application, ...bare });
    expect([status, json]).toEqual([201, expect.objectContaining(bare)]);
    const change = (body: object) =>
      suite.http.patch(`/v1/sender-ids/${json.id}`, body, { key: buyer.liveKey });
    const registration_doc_url = 'https://example.com/letter.pdf';
    expect((await change({ registration_doc_url })).json).toMatchObject({ registration_doc_url });
    expect((await change(bare)).json).toMatchObject(bare);
    const plain = await change({ registration_doc_url: 'http://example.com/letter.pdf' });
    expectError(plain, 400, 'validation_error', 'registration_doc_url');
    expect(json).toMatchObject({ project_id: buyer.id, status: 'pending', notes: null });
    expectError(await buyer.post('/v1/sender-ids', application), 409, 'conflict');
    const message = { to: freshNumber(), from: 'Zenith Foo', body: 'Hi' };
    expectError(await buyer.post('/v1/sms', message), 400, 'sender_id_invalid', 'from');
    const review = (body: object) =>
      suite.operator.request('POST', `/sender-ids/${json.id}/reviews`, body);
    expectError(
      await review({ countries: ['NG'], status: 'rejected' }),
      400,
      'validation_error',
      'reason',
    );
    const approved = await review({ countries: ['NG'], status: 'approved' });
    expect([approved.status, approved.json.status]).toEqual([200, 'approved']);
    expect((await buyer.post('/v1/sms', message)).status).toBe(202);
    expectError(await change({ notes: 'more' }), 409, 'conflict');
    await review({ countries: ['NG'], status: 'suspended', reason: 'Complaints' });
    expectError(await buyer.post('/v1/sms', message), 400, 'sender_id_invalid', 'from');
    const list = await buyer.get('/v1/sender-ids');
    expect(list.json).toEqual({ data: [expect.objectContaining({ status: 'suspended' })] });
  });
});

describe('Do Not Disturb', () => {
  it('decisions 19: a list refuses SMS of both variants, and never an OTP', async () => {
    const number = freshNumber('BJ');
    const put = (raw: string) =>
      suite.http.request('PUT', '/operator/v1/dnd/BJ', {
        raw,
        headers: {
          authorization: `Bearer ${suite.system.credentials.operator_token}`,
          'content-type': 'text/csv',
        },
      });
    expect((await put(`number\n${number}\n`)).json).toEqual({ country: 'BJ', numbers: 1 });
    expectError(await send({ to: number }), 400, 'dnd_blocked', 'to');
    const transactional = await customer.sendSms({ phone_number: number, message: 'Hi' });
    expectError(transactional, 400, 'dnd_blocked', 'phone_number');
    expect((await customer.sendOtp({ phone_number: number })).status).toBe(200);
    expectError(await put('number\nnonsense\n'), 400, 'validation_error');
    expectError(await send({ to: number }), 400, 'dnd_blocked', 'to');
    expectError(await put(`number\n${freshNumber('NG')}\n`), 400, 'validation_error', 'line 2');
    const json = await suite.operator.request('PUT', '/dnd/BJ', { numbers: [number] });
    expectError(json, 415, 'validation_error');
    const untyped = await suite.http.request('PUT', '/operator/v1/dnd/BJ', {
      raw: `number\n${number}\n`,
      headers: {
        authorization: `Bearer ${suite.system.credentials.operator_token}`,
        'content-type': 'application/octet-stream',
      },
    });
    expectError(untyped, 415, 'validation_error');
    for (const { json: refused } of [json, untyped]) {
      expect(JSON.stringify(refused)).toContain('Content-Type: text/csv or text/plain.');
    }
    expectError(await send({ to: number }), 400, 'dnd_blocked', 'to');
    expect((await put('')).json).toEqual({ country: 'BJ', numbers: 0 });
    expect((await send({ to: number })).status).toBe(202);
  });

  it('decisions 19: a carrier that refuses a live SMS teaches the number, for SMS alone', async () => {
    const to = freshNumber();
    const receipts = [{ after_ms: 30, outcome: 'failed', code: 'DoNotDisturbRejection' }];
    await suite.scenario({ to, receipts });
    const { json } = await send({ to });
    await until(json.id, 'failed');
    expectError(await send({ to }), 400, 'dnd_blocked', 'to');
    expect((await customer.sendOtp({ phone_number: to })).status).toBe(200);
  });
});
