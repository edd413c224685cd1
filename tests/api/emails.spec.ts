/** Email: decisions 4, 17, 20, 24, 26; domain/sms.md 8.5. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Customer, expectError, useSystem, uuidV7 } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 1_000, settings: { limits } });
});

const EMAIL = { from: 'Acme <hello@acme.example>', subject: 'Hello', text: 'Hi Ada' };
const SEND_AT_MS = 3_600_000;

const send = (body: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  customer.post(
    '/v1/emails',
    { ...EMAIL, to: 'delivered@sim.test', ...body },
    { key: customer.testKey, ...more },
  );
const get = (id: string) => customer.get(`/v1/emails/${id}`, { key: customer.testKey });
const until = (id: string, status: string) =>
  waitUntil(`${id} is ${status}`, async () => {
    const { json } = await get(id);
    return json.status === status ? json : undefined;
  });
const refused = async (body: Record<string, unknown>, field: string, more = {}) =>
  expectError(await send(body, more), 400, 'validation_error', field);

describe('POST /v1/emails', () => {
  it('decisions 4, 20: POST /v1/emails answers 202 with id and status, and shows the whole record', async () => {
    const { status, json } = await send({
      to: ['Ada <ada@sim.test>', 'bob@sim.test'],
      cc: 'Bob@sim.test',
      html: '<p>Hi <b>Ada</b></p>',
      text: undefined,
      headers: { 'X-Order': '1042' },
      tags: ['orders'],
      metadata: { order: 1042 },
      attachments: [{ filename: 'C:\\tmp\\a.pdf', content: 'SGVsbG8=' }],
    });
    expect(status).toBe(202);
    expect(json).toEqual({ id: expect.stringMatching(uuidV7), status: 'queued' });
    const record = await until(json.id, 'delivered');
    expect(record).toMatchObject({
      project_id: customer.id,
      from: EMAIL.from,
      to: ['Ada <ada@sim.test>', 'bob@sim.test'],
      cc: ['Bob@sim.test'],
      bcc: [],
      reply_to: [],
      html: '<p>Hi <b>Ada</b></p>',
      text: 'Hi Ada',
      headers: { 'X-Order': '1042' },
      attachments: [
        { filename: 'a.pdf', content_type: 'application/pdf', content_id: null, size_bytes: 5 },
      ],
      tags: ['orders'],
      metadata: { order: 1042 },
      category: 'transactional',
      track_opens: false,
      track_clicks: false,
      recipients: [
        { address: 'ada@sim.test', status: 'delivered' },
        { address: 'bob@sim.test', status: 'delivered' },
      ],
      cost: { amount_kobo: 200, currency: 'NGN' },
      test_mode: true,
    });
  });

  it.each([
    ['to', { to: 'ada' }],
    ['to.1', { to: ['ada@sim.test', 'bob@'] }],
    ['to.1', { to: ['ada@sim.test', 5] }],
    ['to', { to: [] }],
    ['to', { to: undefined }],
    ['cc.0', { cc: ['a b@sim.test'] }],
    ['bcc', { bcc: 'x@y, z@sim.test' }],
    ['reply_to', { reply_to: 'no' }],
    ['from', { from: 'a@b.test, c@d.test' }],
    ['from', { from: 'Acme' }],
    ['subject', { subject: 'a\r\nBcc: x@y.test' }],
    ['subject', { subject: 'x'.repeat(999) }],
    ['html', { text: undefined }],
    ['headers.Bcc', { headers: { Bcc: 'x@y.test' } }],
    ['headers.X-Svc-Id', { headers: { 'X-Svc-Id': '1' } }],
    ['headers.X-A', { headers: { 'X-A': 'a\nb: c' } }],
    ['tags.0', { tags: ['a b'] }],
    ['category', { category: 'spam' }],
    ['send_at', { send_at: '2020-01-01T00:00:00Z' }],
    ['attachments.0.content', { attachments: [{ filename: 'a', content: 'SGVsbG8' }] }],
    [
      'attachments.0.content_type',
      { attachments: [{ filename: 'a', content: '', content_type: 'pdf' }] },
    ],
    [
      'attachments',
      { attachments: Array.from({ length: 21 }, () => ({ filename: 'a', content: '' })) },
    ],
  ])('decisions 20, 26: POST /v1/emails refuses a wrong %s', async (field, body) => {
    await refused(body, field);
  });

  it('decisions 20: POST /v1/emails takes 50 distinct recipients, and names where the 51st stands', async () => {
    const to = Array.from({ length: 50 }, (_, index) => `n${index}@sim.test`);
    expect((await send({ to, cc: ['N7@sim.test'] })).status).toBe(202);
    await refused({ to, bcc: ['other@sim.test'] }, 'bcc');
  });

  it('decisions 24, 26: a request over 10 MiB is 413, a finished message over it 400', async () => {
    const half = 'A'.repeat(5 * 1024 * 1024);
    const parts = [half, 'A'.repeat(5 * 1024 * 1024 - 4096)];
    const files = parts.map((content, index) => ({ filename: `${index}.bin`, content }));
    await refused({ attachments: files }, 'attachments');
    const over = [...files, { filename: 'c', content: 'A'.repeat(8192) }];
    expect((await send({ attachments: over })).status).toBe(413);
  });

  it('decisions 20: an address of the suppression list is refused with its field', async () => {
    const to = ['ada@sim.test', 'suppressed+x@sim.test'];
    expectError(await send({ to }), 400, 'address_suppressed', 'to.1');
  });

  it('decisions 20: a live send needs a verified domain', async () => {
    const key = customer.liveKey;
    expectError(await send({ to: 'ada@example.com' }, { key }), 400, 'domain_unverified', 'from');
  });

  it.each(['a@unverified.sim.test', 'unverified@sim.test', 'Acme <Unverified+1@Sim.test>'])(
    'domain 8.5: a test send from %s is one from an unverified domain',
    async (from) => {
      expectError(await send({ from }), 400, 'domain_unverified', 'from');
    },
  );

  it('domain 8.5: a test send may come from another address of the simulator', async () => {
    for (const from of ['hello@sim.test', 'unverified@acme.example']) {
      expect((await send({ from })).status).toBe(202);
    }
  });

  it('decisions 20: a failed hop names its reason and whether the email was refunded', async () => {
    const hopsOf = async (to: string | string[], status: string) => {
      const { json } = await send({ to });
      const { timeline } = await until(json.id, status);
      return (timeline as { status: string }[]).filter((hop) => hop.status === 'failed');
    };
    const hop = { recipient: 'failed@sim.test', reason: 'all_providers_failed' };
    expect(await hopsOf('failed@sim.test', 'failed')).toMatchObject([{ ...hop, refunded: true }]);
    const both = ['failed@sim.test', 'delivered@sim.test'];
    expect(await hopsOf(both, 'delivered')).toMatchObject([{ ...hop, refunded: false }]);
  });
});

describe('POST /v1/emails/batch', () => {
  const batch = (items: unknown, more: Record<string, unknown> = {}) =>
    customer.post('/v1/emails/batch', items, { key: customer.testKey, ...more });

  it('decisions 18, 20: each item has an outcome of its own', async () => {
    const item = { ...EMAIL, to: 'delivered@sim.test' };
    const { status, json } = await batch([
      item,
      { ...item, to: ['ada@sim.test', 'no'] },
      { ...item, to: 'suppressed@sim.test' },
      { ...item, quote_id: randomUUID() },
    ]);
    expect(status).toBe(202);
    expect(json).toMatchObject({
      accepted: 1,
      failed: 3,
      data: [
        { index: 0, email: { id: expect.stringMatching(uuidV7), status: 'queued' } },
        { index: 1, error: { type: 'validation_error', field: 'to.1' } },
        { index: 2, error: { type: 'address_suppressed', field: 'to' } },
        { index: 3, error: { type: 'validation_error', field: 'quote_id' } },
      ],
    });
    expect((await get(json.data[0].email.id)).status).toBe(200);
  });

  it('decisions 20, 25: an envelope that is no list of objects refuses the whole', async () => {
    const empty = await batch([]);
    expectError(empty, 400, 'validation_error');
    expect(empty.json.error.message).toBe('The body must have at least 1 item.');
    expect((await batch({})).status).toBe(400);
    expect((await batch(Array.from({ length: 101 }, () => EMAIL))).status).toBe(400);
    expectError(await batch([EMAIL, 5]), 400, 'validation_error', '1');
  });
});

describe('reading and cancelling', () => {
  it('decisions 20: lists leave out the texts and filter', async () => {
    const tag = `t${Date.now()}`;
    const { json } = await send({ tags: [tag] });
    const page = await waitUntil('the list', async () => {
      const { json: list } = await customer.get(`/v1/emails?tag=${tag}`, {
        key: customer.testKey,
      });
      return list.data.length > 0 ? list : undefined;
    });
    expect(page.data[0].id).toBe(json.id);
    expect(page.data[0]).not.toHaveProperty('html');
    expect(page.data[0]).not.toHaveProperty('text');
    const live = await customer.get(`/v1/emails?tag=${tag}`);
    expect(live.json.data).toEqual([]);
    expectError(await customer.get('/v1/emails?colour=red'), 400, 'validation_error', 'colour');
  });

  it('decisions 4, 20: a scheduled email is cancelled, one that left is not', async () => {
    const send_at = new Date(Date.now() + SEND_AT_MS).toISOString();
    const { json } = await send({ send_at });
    expect(json.status).toBe('scheduled');
    const path = `/v1/emails/${json.id}/cancel`;
    const cancelled = await customer.post(path, {}, { key: customer.testKey });
    expect(cancelled.status).toBe(200);
    expect(cancelled.json).toMatchObject({ id: json.id, status: 'cancelled' });
    // The record, as GET shows it.
    expect(cancelled.json).toMatchObject({ text: EMAIL.text, html: null, content_expired: false });
    expect(cancelled.json).toEqual((await get(json.id)).json);
    expectError(await customer.post(path, {}, { key: customer.testKey }), 409, 'conflict');
    const left = await send();
    await until(left.json.id, 'delivered');
    const late = await customer.post(
      `/v1/emails/${left.json.id}/cancel`,
      {},
      {
        key: customer.testKey,
      },
    );
    expectError(late, 409, 'conflict');
  });
});

it('decisions 15, 18: a quote of an email counts its recipients', async () => {
  const body = { kind: 'email', ...EMAIL, to: ['a@sim.test', 'suppressed@sim.test'] };
  const { status, json } = await customer.post('/v1/quote', body, { key: customer.testKey });
  expect(status).toBe(200);
  expect(json).toMatchObject({ credits: 2, country_code: null, segments: 2 });
  expect(json.gates).toContainEqual(
    expect.objectContaining({ gate: 'dnd', verdict: 'refuse', type: 'address_suppressed' }),
  );
});

it('decisions 2: a sending key sends emails and reads none', async () => {
  const { key } = await customer.newKey('test', 'sending');
  expect((await send({}, { key })).status).toBe(202);
  expectError(await customer.get('/v1/emails', { key }), 403, 'permission_error');
});
