/** Accounts, the dashboard's API, and the lists beside it: decisions 2, 3, 6, 13, 15 and 16. */
import { describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { expectError, useSystem, uuidV7 } from '../support/suite.js';
import { startSystemWith } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

// Failures are limited by address: each browser here has its own.
const suite = useSystem(() => startSystemWith({ TRUSTED_PROXIES: '1' }));

async function newOwner(body: Record<string, unknown> = {}) {
  const browser = new Browser(suite.system);
  const answer = await browser.signUp(body);
  expect(answer.status).toBe(200);
  return Object.assign(browser, { workspaceId: answer.json.workspace.workspace_id as string });
}

async function newKey(browser: Browser, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await browser.request('POST', '/dashboard/keys', { mode: 'live', ...body });
  expect(answer.status).toBe(201);
  return answer.json.key as string;
}

describe('a signup', () => {
  it('decisions 2 and 16: a signup answers user, workspace and csrf_token, and sets a cookie', async () => {
    const browser = new Browser(suite.system);
    const answer = await browser.signUp({ workspace_name: 'Engines', billing_country: 'KE' });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      user: { user_id: expect.stringMatching(uuidV7), email: browser.email, role: 'owner' },
      workspace: { workspace_id: expect.stringMatching(uuidV7), name: 'Engines', balance: 10 },
      csrf_token: expect.any(String),
    });
    const [session = ''] = answer.headers['set-cookie']!.split(', ');
    const attributes = session.split('; ').slice(1).toSorted();
    expect(attributes).toEqual(
      ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure'].toSorted(),
    );
    const me = await browser.request('GET', '/auth/me');
    expect(me.json).toEqual(answer.json);
  });

  it('1.10 and decisions 5: a signup gives 10 credits of kind trial, which send', async () => {
    const owner = await newOwner();
    const ledger = await owner.request('GET', '/dashboard/ledger');
    expect(ledger.json.data).toMatchObject([
      { kind: 'top_up', top_up_kind: 'trial', credits: 10, balance_after: 10 },
    ]);
    const key = await newKey(owner);
    const send = () => suite.http.post('/v1/otp/send', { phone_number: freshNumber() }, { key });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expectError(await send(), 402, 'insufficient_credits');
  });

  it('decisions 24: shares five one-time passwords an hour and number with the others', async () => {
    const phone_number = freshNumber();
    const statuses: number[] = [];
    for (let workspaces = 0; workspaces < 6; workspaces += 1) {
      const key = await newKey(await newOwner());
      statuses.push((await suite.http.post('/v1/otp/send', { phone_number }, { key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('a login', () => {
  it('decisions 2: a login of the demo workspace, by dev-credentials.json', async () => {
    const { email, password, workspace_id: workspaceId } = suite.system.credentials;
    const browser = new Browser(suite.system, email);
    const answer = await browser.logIn({ password });
    expect(answer.status).toBe(200);
    expect(answer.json.workspace.workspace_id).toBe(workspaceId);
    const workspace = await browser.request('GET', '/dashboard/workspace');
    expect(workspace.json).toMatchObject({ workspace_id: workspaceId, name: 'Demo' });
  });

  it('decisions 2: a login does not tell whether an account exists', async () => {
    const { email } = await newOwner();
    const wrong = await new Browser(suite.system, email).logIn({ password: 'not that one' });
    const unknown = await new Browser(suite.system).logIn();
    expectError(wrong, 401, 'authentication_error');
    expectError(unknown, 401, 'authentication_error');
    expect(wrong.json.error.message).toBe(unknown.json.error.message);
  });

  it.each(['known', 'unknown'])(
    'decisions 2: a %s account has 5 failures a minute',
    async (which) => {
      const { email } = which === 'known' ? await newOwner() : new Browser(suite.system);
      for (let failures = 0; failures < 5; failures += 1) {
        const failed = await new Browser(suite.system, email).logIn({ password: 'not that one' });
        expectError(failed, 401, 'authentication_error');
      }
      const refused = await new Browser(suite.system, email).logIn();
      expectError(refused, 429, 'rate_limit_exceeded');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    },
  );

  it('decisions 2: a login ends with a logout', async () => {
    const owner = await newOwner();
    expect((await owner.request('POST', '/auth/logout')).status).toBe(204);
    expectError(await owner.request('GET', '/auth/me'), 401, 'authentication_error');
    expectError(await owner.request('GET', '/dashboard/workspace'), 401, 'authentication_error');
  });
});

describe('the dashboard', () => {
  it('decisions 2: unsafe calls need the X-CSRF-Token', async () => {
    const owner = await newOwner();
    const patch = { name: 'Changed' };
    for (const token of ['', 'guessed']) {
      const headers = { 'x-csrf-token': token };
      const refused = await owner.request('PATCH', '/dashboard/workspace', patch, headers);
      expectError(refused, 403, 'permission_error', 'X-CSRF-Token');
    }
    const changed = await owner.request('PATCH', '/dashboard/workspace', patch);
    expect([changed.status, changed.json.name]).toEqual([200, 'Changed']);
  });

  it('decisions 2: a key is created, used, and refused on the request after its revocation', async () => {
    const owner = await newOwner();
    const created = await owner.request('POST', '/dashboard/keys', { mode: 'test', name: 'Shop' });
    expect(created.status).toBe(201);
    const { key, key_id: keyId } = created.json;
    const send = () => suite.http.post('/v1/otp/send', { phone_number: magicNumber(0) }, { key });
    expect((await send()).status).toBe(200);
    const revoked = await owner.request('DELETE', `/dashboard/keys/${keyId}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expectError(await send(), 401, 'authentication_error');
    const { json } = await owner.request('GET', '/dashboard/keys');
    expect(json.data).toMatchObject([{ key_id: keyId, name: 'Shop', mode: 'test' }]);
    const outsider = await newOwner();
    expectError(await outsider.request('DELETE', `/dashboard/keys/${keyId}`), 404, 'not_found');
  });

  it('6 and 6.1: the dashboard fires a synthetic event that says so', async () => {
    const owner = await newOwner();
    const receiver = await WebhookReceiver.start();
    const put = { url: receiver.url, events: ['otp.failed'] };
    expect((await owner.request('PUT', '/dashboard/webhook', put)).status).toBe(200);
    const shown = await owner.request('GET', '/dashboard/webhook');
    expect(shown.json).toMatchObject({ ...put, secret: expect.stringMatching(/^whsec_/) });
    const fired = await owner.request('POST', '/dashboard/webhook/test');
    expect(fired.status).toBe(200);
    await waitUntil('the test event', () => receiver.received.length === 1);
    expect(receiver.received[0]!.json).toMatchObject({
      event: 'credit_balance.topped_up',
      data: { workspace_id: owner.workspaceId, balance: 10, test: true },
      sequence: expect.any(Number),
    });
    const delivery = await waitUntil('the delivery on record', async () => {
      const { json } = await owner.request('GET', '/dashboard/webhook/deliveries');
      return json.data.find(({ status }: { status: string }) => status === 'delivered');
    });
    expect(delivery).toMatchObject({ id: fired.json.delivery_id, event_id: fired.json.event_id });
    await receiver.close();
  });

  it('decisions 2: the dashboard has members, by invitation, with roles', async () => {
    const owner = await newOwner();
    const guest = new Browser(suite.system);
    const invited = await owner.request('POST', '/dashboard/members', { email: guest.email });
    expect(invited.status).toBe(201);
    await guest.signUp({ invitation_token: invited.json.invitation_token });
    const { json } = await guest.request('GET', '/dashboard/members');
    expect(json.data).toMatchObject([
      { email: guest.email, role: 'member' },
      { email: owner.email, role: 'owner' },
    ]);
    const patch = await guest.request('PATCH', '/dashboard/workspace', { name: 'Mine' });
    expectError(patch, 403, 'permission_error');
  });
});

describe('lists', () => {
  it('decisions 15: GET /v1/otp and /v1/sms page, stable while others come', async () => {
    const customer = await suite.customer();
    const key = customer.testKey;
    const otps: string[] = [];
    const sendOtp = async () => {
      const { json } = await customer.sendOtp({ phone_number: magicNumber(0) }, { key });
      otps.unshift(json.id as string);
    };
    const list = (query: string) => customer.get(`/v1/otp?${query}`, { key });
    for (let count = 0; count < 5; count += 1) await sendOtp();
    const sms = await customer.sendSms({}, { key });
    await waitUntil('all to have arrived', async () => {
      const [all, others] = [await list(''), await customer.get('/v1/sms', { key })];
      return all.json.data.length === 5 && others.json.data.length === 1;
    });
    const ids = (answer: { json: { data: { id: string }[] } }) =>
      answer.json.data.map(({ id }) => id);
    const expected = [...otps];
    const first = await list('limit=2');
    expect(ids(first)).toEqual(expected.slice(0, 2));
    await sendOtp();
    const second = await list(`limit=2&cursor=${first.json.next_cursor}`);
    const third = await list(`limit=2&cursor=${second.json.next_cursor}`);
    expect([...ids(second), ...ids(third)]).toEqual(expected.slice(2));
    expect(third.json.next_cursor).toBeUndefined();

    const record = await waitUntil('the SMS to be delivered', async () => {
      const { json } = await customer.get('/v1/sms?status=delivered', { key });
      return json.data[0];
    });
    expect(record).toEqual((await customer.getSms(sms.json.id as string, { key })).json);
    expect((await list('test_mode=false')).json).toEqual({ data: [] });
    expectError(await list('status=lost'), 400, 'validation_error', 'status');
  });

  it('4.1 rule 1: what was accepted is listed at once', async () => {
    const customer = await suite.customer({ credits: 1_000 });
    const newest = async (path: string) => (await customer.get(path)).json.data[0]?.id;
    const showsNewest = async () => {
      const otp = await customer.sendOtp();
      const newestOtp = await newest('/v1/otp?limit=1');
      const sms = await customer.sendSms();
      return newestOtp === otp.json.id && (await newest('/v1/sms?limit=1')) === sms.json.id;
    };
    // A list waits for a second at most, which a busy machine may exceed.
    for (let count = 0; count < 8; count += 1) {
      expect(await earlyEnough(showsNewest, (shown) => shown)).toBe(true);
    }
  });
});

describe('money', () => {
  it('decisions 15 and 16: balance, ledger, and all of it as CSV', async () => {
    const customer = await suite.customer({ credits: 100 });
    await customer.sendOtp();
    await customer.sendOtp();
    const balance = await customer.get('/v1/balance');
    expect(balance.json).toEqual({
      workspace_id: customer.id,
      balance: 90,
      updated_at: expect.any(String),
    });
    const { json } = await customer.get('/v1/ledger?limit=2');
    expect(json.data).toMatchObject([
      { kind: 'charge', credits: -5, balance_after: 90, message_id: expect.stringMatching(uuidV7) },
      { kind: 'charge', credits: -5, balance_after: 95 },
    ]);
    const csv = await customer.get('/v1/ledger?limit=1', { headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = csv.text.trimEnd().split('\r\n');
    expect(header).toBe(
      'id,kind,top_up_kind,credits,balance_after,message_id,payment_id,note,created_at',
    );
    expect(lines.map((line) => line.split(',').slice(1, 5).join())).toEqual([
      'charge,,-5,90',
      'charge,,-5,95',
      'top_up,bonus,100,100',
    ]);
    const rest = await customer.get(`/v1/ledger?cursor=${json.next_cursor}`, {
      headers: { accept: 'text/csv' },
    });
    expect(rest.text.trimEnd().split('\r\n')).toEqual([header, lines[2]]);
  });
});
