import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, openGateway, type TestGateway } from './gateway.kit.js';
import { freshIp, newOwner, Person } from './person.kit.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const OPEN = { TRUSTED_PROXIES: '1' };
const PUBLIC = { TRUSTED_PROXIES: '1', HOST: '0.0.0.0' };

const QUOTED = {
  verdict: 'quoted',
  replayed: false,
  quote_id: 'q',
  expires_at: '2026-01-05T09:00:00.000Z',
  credits: 5,
  credit_price: { amount: 100, currency: 'NGN' },
  balance: 10,
} as const;

/** Returns numbers of one prefix. Each test takes its own prefix. */
const numberOf = (prefix: string, index: number) => `+${prefix}${String(index).padStart(7, '0')}`;

const at = (gateway: TestGateway, ip: string) => Object.assign(new Person(gateway), { ip });
const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.field];

async function keyOf(owner: Person, mode = 'live'): Promise<string> {
  const { body } = await owner.call('POST', '/dashboard/keys', { mode });
  return body.key as string;
}

describe('new workspaces of one address', () => {
  let gateway: TestGateway;
  beforeAll(async () => (gateway = await openGateway(OPEN)));
  afterAll(() => gateway.close());

  it('are five a day, of successes, and the sixth is 429 until the UTC day ends', async () => {
    const ip = freshIp();
    expect((await at(gateway, ip).signUp({ password: 'short' })).status).toBe(400);
    for (let made = 0; made < 5; made += 1) {
      expect((await at(gateway, ip).signUp()).status).toBe(200);
    }
    for (let refused = 0; refused < 7; refused += 1) {
      expect(errorOf(await at(gateway, ip).signUp())).toEqual([429, 'rate_limited', undefined]);
    }
    const { headers } = await at(gateway, ip).signUp();
    const midnightMs = DAY_MS - (gateway.clock.now() % DAY_MS);
    expect(Number(headers['retry-after'])).toBe(Math.ceil(midnightMs / 1_000));
    expect((await at(gateway, freshIp()).signUp()).status).toBe(200);
    gateway.clock.advance(midnightMs);
    expect((await at(gateway, ip).signUp()).status).toBe(200);
  });

  it('decisions 28: the limit of sign-ups counts members who join by invitation, and no taken address', async () => {
    const owner = await newOwner(gateway);
    const ip = freshIp();
    for (let refused = 0; refused < 4; refused += 1) {
      const copy = Object.assign(new Person(gateway, owner.email), { ip });
      expect((await copy.signUp()).status).toBe(409);
    }
    const join = async () => {
      const guest = at(gateway, ip);
      const { body } = await owner.call('POST', '/dashboard/members', { email: guest.email });
      return guest.signUp({ invitation_token: body.invitation_token });
    };
    for (let joined = 0; joined < 4; joined += 1) expect((await join()).status).toBe(200);
    expect((await at(gateway, ip).signUp()).status).toBe(200);
    expect(errorOf(await join())).toEqual([429, 'rate_limited', undefined]);
  });
});

describe('one-time passwords of workspaces that came by sign-up', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openGateway(OPEN, undefined, {
      before: async ({ billing }) => {
        billing.calls.quote = async () => QUOTED;
      },
    });
  });
  afterAll(() => gateway.close());

  const send = (key: string, phone_number: string) =>
    gateway.post('/v1/otp/send', key, { phone_number });

  it('share sixty an hour for each prefix', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => newOwner(gateway)));
    const keys = await Promise.all(owners.map((owner) => keyOf(owner)));
    for (let sent = 0; sent < 60; sent += 1) {
      const { status } = await send(keys[sent % 4]!, numberOf('234806', sent));
      expect([sent, status]).toEqual([sent, 200]);
    }
    expect((await send(keys[0]!, numberOf('234806', 99))).status).toBe(429);
    expect((await send(keys[0]!, numberOf('234813', 99))).status).toBe(200);
  });
});

describe('a sign-up beyond loopback', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openGateway(PUBLIC, undefined, {
      before: async ({ billing }) => {
        billing.calls.quote = async () => ({ ...QUOTED, balance: 1_000 });
      },
    });
  });
  afterAll(() => gateway.close());

  async function invited(): Promise<Person> {
    const person = new Person(gateway);
    const { status, body } = await gateway.operator('POST', '/invitations', {
      email: person.email.toUpperCase(),
    });
    expect([status, body.email, body.status]).toEqual([201, person.email, 'invited']);
    const { invitation_token } = body;
    expect((await person.signUp({ invitation_token })).status).toBe(200);
    return person;
  }

  it('decisions 24: a sign-up beyond loopback needs an invitation by the operator, of this address, once', async () => {
    const refused = await new Person(gateway).signUp();
    expect(errorOf(refused)).toEqual([403, 'permission_error', 'email']);
    const email = 'ada@example.com';
    const { body } = await gateway.operator('POST', '/invitations', { email });
    const { invitation_token } = body;
    const thief = await new Person(gateway).signUp({ invitation_token });
    expect(errorOf(thief)).toEqual([400, 'validation_error', 'invitation_token']);
    const ada = new Person(gateway, email);
    expect((await ada.signUp({ invitation_token })).body.user.role).toBe('owner');
    const again = await ada.signUp({ invitation_token });
    expect(errorOf(again)).toEqual([400, 'validation_error', 'invitation_token']);
    const loggedIn = await ada.logIn({ invitation_token });
    expect(errorOf(loggedIn)).toEqual([400, 'validation_error', 'invitation_token']);
  });

  it('decisions 24: a sign-up beyond loopback gets trial credits once an operator confirms, and its sends are refused until then', async () => {
    const owner = await invited();
    const { body: me } = await owner.call('GET', '/auth/me');
    const { workspace_id: id } = me.workspace;
    expect(me.workspace).toMatchObject({ balance: 0, trial_credits_pending: 10 });
    const key = await keyOf(owner);
    const sms = { phone_number: '+2348031234567', message: 'Hello' };
    const sends = () => [
      gateway.post('/v1/otp/send', key, { phone_number: '+2348031234567' }),
      gateway.post('/v1/sms/send', key, sms),
    ];
    for (const answer of await Promise.all(sends())) {
      expect(errorOf(answer)).toEqual([403, 'permission_error', 'email']);
    }
    const messages = [{ to: '+2348031234567', body: 'Hello' }];
    const batch = await gateway.post('/v1/sms/batch', key, { from: 'Acme', messages });
    expect(errorOf(batch)).toEqual([403, 'permission_error', 'email']);
    const email = { from: 'a@acme.example', to: 'ada@example.com', subject: 'Hi', text: 'Hi' };
    expect(errorOf(await gateway.post('/v1/emails/batch', key, [email]))).toEqual([
      403,
      'permission_error',
      'email',
    ]);
    expect((await gateway.get('/v1/balance', key)).status).toBe(200);
    expect((await gateway.post('/v1/sms/send', await keyOf(owner, 'test'), sms)).status).toBe(200);
    for (let repeated = 0; repeated < 2; repeated += 1) {
      const confirmed = await gateway.operator('POST', `/workspaces/${id}/confirm`);
      expect(confirmed.status).toBe(200);
      expect(confirmed.body).toMatchObject({ balance: 10, origin: 'sign_up' });
      expect(confirmed.body).not.toHaveProperty('trial_credits_pending');
    }
    const statuses = (await Promise.all(sends())).map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
    const nothing = '01890000-0000-7000-8000-000000000000';
    expect((await gateway.operator('POST', `/workspaces/${nothing}/confirm`)).status).toBe(404);
  });
});

describe('the settings of sign-up', () => {
  it('decisions 24: closed refuses everyone but members that an owner invites', async () => {
    const gateway = await openGateway({ ...OPEN, SIGNUP: 'closed', TRIAL_CREDITS: 'none' });
    const refused = await new Person(gateway).signUp();
    expect(errorOf(refused)).toEqual([403, 'permission_error', 'email']);
    const { body } = await gateway.operator('POST', '/invitations', { email: 'x@example.com' });
    const { invitation_token } = body;
    const invited = await new Person(gateway, 'x@example.com').signUp({ invitation_token });
    expect(errorOf(invited)).toEqual([403, 'permission_error', 'email']);
    await gateway.close();
  });
});
