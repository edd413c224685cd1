import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { acceptedRecord } from '../src/messages/accepted-record.policy.js';
import { RecentSends } from '../src/messages/recent-sends.js';
import { UNLIMITED } from './gateway.kit.js';
import { newOwner } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

let owner: Awaited<ReturnType<typeof newOwner>>;
let key: string;
const sent: { otp: string[]; sms: string[] } = { otp: [], sms: [] };

const NUMBER = '+2348031234567';

useGateway({ TRUSTED_PROXIES: '1' });

beforeAll(async () => {
  owner = await newOwner(gateway);
  await gateway.operator('PATCH', `/workspaces/${owner.workspaceId}`, { settings: UNLIMITED });
  ({ key } = await newKey('full'));
  for (let round = 0; round < 3; round += 1) {
    sent.otp.unshift(await send('/v1/otp/send', { phone_number: NUMBER }));
    sent.sms.unshift(await send('/v1/sms/send', { phone_number: NUMBER, message: 'Hi' }));
  }
});

async function newKey(permission: string): Promise<{ key: string }> {
  return (await owner.call('POST', '/dashboard/keys', { mode: 'live', permission })).body;
}

/** Sends, and waits until it is in dispatch. */
async function send(path: string, body: object): Promise<string> {
  const { id } = (await gateway.post(path, key, body)).body;
  const command = gateway.billing.commands.get(id);
  gateway.dispatch.messages.set(id, acceptedRecord(command!));
  return id;
}

const idsIn = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe.each(['otp', 'sms'] as const)('GET /v1/%s', (kind) => {
  it('lists the records that GET by id answers, newest first', async () => {
    const { status, body, headers } = await gateway.get(`/v1/${kind}`, key);
    expect([status, idsIn(body)]).toEqual([200, sent[kind]]);
    expect(body).not.toHaveProperty('next_cursor');
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
    const single = await gateway.get(`/v1/${kind}/${sent[kind][0]}`, key);
    expect(body.data[0]).toEqual(single.body);
  });

  it('goes on at its cursor', async () => {
    const { body: first } = await gateway.get(`/v1/${kind}?limit=2`, key);
    expect(idsIn(first)).toEqual(sent[kind].slice(0, 2));
    const { body: second } = await gateway.get(
      `/v1/${kind}?limit=2&cursor=${first.next_cursor}`,
      key,
    );
    expect(idsIn(second)).toEqual(sent[kind].slice(2));
  });

  it('asks for 50 by default, of its own workspace and kind', async () => {
    await gateway.get(`/v1/${kind}`, key);
    expect(gateway.dispatch.lists.at(-1)).toEqual({
      workspace_id: owner.workspaceId,
      test_mode: false,
      limit: 50,
      kind,
    });
    const other = await gateway.newWorkspace();
    expect((await gateway.get(`/v1/${kind}`, other.live_key)).body).toEqual({ data: [] });
  });

  it('hands its filters on', async () => {
    const query =
      'status=failed&to=%2B2348031234567&country=NG&test_mode=true&limit=200' +
      '&created_after=2026-01-01&created_before=2026-01-02T01:00:00%2B01:00';
    expect((await gateway.get(`/v1/${kind}?${query}`, key)).status).toBe(200);
    expect(gateway.dispatch.lists.at(-1)).toEqual({
      workspace_id: owner.workspaceId,
      test_mode: false,
      kind,
      limit: 200,
      status: 'failed',
      to: NUMBER,
      country: 'NG',
      only_test_mode: true,
      created_after: '2026-01-01T00:00:00.000Z',
      created_before: '2026-01-02T00:00:00.000Z',
    });
    await gateway.get(`/v1/${kind}?to=+2348031234567`, key);
    expect(gateway.dispatch.lists.at(-1)?.to).toBe(NUMBER);
  });

  it.each(['pending', 'queued', 'scheduled', 'blocked', 'rejected', 'cancelled'])(
    'takes the status %s, of either vocabulary',
    async (status) => {
      expect((await gateway.get(`/v1/${kind}?status=${status}`, key)).status).toBe(200);
      expect(gateway.dispatch.lists.at(-1)?.status).toBe(status);
    },
  );

  it.each([
    ['limit', '0'],
    ['limit', '201'],
    ['limit', 'many'],
    ['cursor', ''],
    ['cursor', 'bogus'],
    ['status', 'lost'],
    ['status', kind === 'sms' ? 'verified' : 'undelivered'],
    ['to', 'Ada'],
    ['country', 'Nigeria'],
    ['test_mode', 'maybe'],
    ['created_after', 'yesterday'],
    ['created_after', '9999-12-31T23:59:59-01:00'],
    ['created_before', '0001-01-01T00:00:00%2B01:00'],
    ['created_before', '2026-01-01T24:00:00Z'],
    ['created_before', '2026-13-01'],
  ])('refuses %s=%s', async (field, value) => {
    const { status, body } = await gateway.get(`/v1/${kind}?${field}=${value}`, key);
    expect([status, body.error.type, body.error.field]).toEqual([400, 'validation_error', field]);
  });

  it.each([
    ['full', 200],
    ['otp', kind === 'otp' ? 200 : 403],
    ['sending', 403],
    ['agent', 403],
  ])('a key with %s gets %i', async (permission, expected) => {
    const { key: other } = await newKey(permission);
    const { status, body } = await gateway.get(`/v1/${kind}`, other);
    expect(status).toBe(expected);
    if (status === 403) expect(body.error.type).toBe('permission_error');
  });

  it('needs a key, and knows its methods', async () => {
    expect((await gateway.get(`/v1/${kind}`)).status).toBe(401);
    const { status, headers } = await gateway.call({
      method: 'DELETE',
      url: `/v1/${kind}`,
      headers: { authorization: `Bearer ${key}` },
    });
    expect([status, headers.allow]).toEqual([405, expect.stringMatching(/^GET, HEAD/)]);
  });
});

describe('GET /dashboard/messages', () => {
  it('lists both kinds, each by name', async () => {
    const { status, body } = await owner.call('GET', '/dashboard/messages');
    expect(status).toBe(200);
    expect(idsIn(body).toSorted()).toEqual([...sent.otp, ...sent.sms].toSorted());
    const [sms, otp] = body.data;
    expect([sms.kind, otp.kind]).toEqual(['sms', 'otp']);
    const single = await gateway.get(`/v1/otp/${otp.id}`, key);
    expect(otp).toEqual({ kind: 'otp', ...single.body });
  });

  it('shows what the sender wrote, where that was rewritten', async () => {
    const message = '“₦5” – thanks';
    await send('/v1/sms/send', { phone_number: NUMBER, message });
    const { body } = await owner.call('GET', '/dashboard/messages?kind=sms');
    const [rewritten, plain] = body.data;
    expect(rewritten).toMatchObject({ message: '"NGN5" - thanks', original_message: message });
    expect(plain).not.toHaveProperty('original_message');
    const { body: record } = await gateway.get(`/v1/sms/${rewritten.id}`, key);
    expect({ kind: 'sms', ...record, original_message: message }).toEqual(rewritten);
    gateway.dispatch.messages.delete(rewritten.id);
  });

  it('is filtered by kind and by all filters of both lists', async () => {
    const { body } = await owner.call('GET', '/dashboard/messages?kind=otp&status=verified');
    expect(idsIn(body)).toEqual(sent.otp);
    expect(gateway.dispatch.lists.at(-1)).toMatchObject({ kind: 'otp', status: 'verified' });
    await owner.call('GET', '/dashboard/messages?from=Acme&status=blocked');
    expect(gateway.dispatch.lists.at(-1)).toMatchObject({ from: 'Acme', status: 'blocked' });
  });
});

describe('a list right behind a send', () => {
  const late = async () => {
    const { id } = (await gateway.post('/v1/otp/send', key, { phone_number: NUMBER })).body;
    const record = acceptedRecord(gateway.billing.commands.get(id)!);
    return { id, arrive: () => gateway.dispatch.messages.set(id, record) };
  };

  it('waits until dispatch has heard of it', async () => {
    const { id, arrive } = await late();
    gateway.app.get(RecentSends).patienceClock = new FakeClock();
    // The first look comes too early.
    jest.spyOn(gateway.dispatch.messages, 'get').mockImplementationOnce(() => void arrive());
    expect(idsIn((await gateway.get('/v1/otp?limit=1', key)).body)).toEqual([id]);
  });

  it('answers without a send that does not reach dispatch within a second', async () => {
    const { id, arrive } = await late();
    const clock = new FakeClock();
    gateway.app.get(RecentSends).patienceClock = clock;
    const looks = jest
      .spyOn(gateway.dispatch.messages, 'get')
      .mockImplementation(() => void clock.advance(500));
    const { status, body } = await gateway.get('/v1/otp', key);
    expect(status).toBe(200);
    expect(idsIn(body)).not.toContain(id);
    looks.mockRestore();
    arrive();
  });
});

describe('GET /v1/suppressions', () => {
  const madeUp = (position: string) =>
    Buffer.from(`suppressions:${position}`).toString('base64url');
  const id = newId();

  it.each([
    'bogus',
    madeUp(`0 ${id}`),
    madeUp(`0:${id}`),
    madeUp(`2026-02-30T00:00:00Z:${id}`),
    madeUp(`2026-11-23T09:00:00Z:${'0'.repeat(36)}`),
  ])('refuses the cursor %s', async (cursor) => {
    const { status, body } = await gateway.get(`/v1/suppressions?cursor=${cursor}`, key);
    expect([status, body.error.type, body.error.field]).toEqual([
      400,
      'validation_error',
      'cursor',
    ]);
  });
});
