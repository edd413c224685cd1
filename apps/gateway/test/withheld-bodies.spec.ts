import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TestGateway } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';
import { dashboard, newOwner, PASSWORD, Person } from './person.kit.js';
import { listen, type Request, withhold } from './withheld.kit.js';

let port: number;

useGateway({ TRUSTED_PROXIES: '1' });

beforeAll(async () => {
  await liftAddressLimits();
  port = await listen(gateway);
});

const NEW_KEY = { method: 'POST', path: '/dashboard/keys', body: { mode: 'live' } };

const as = (person: Person, request: Omit<Request, 'headers'>): Request => ({
  ...request,
  headers: { cookie: person.cookie, 'x-csrf-token': person.csrfToken },
});

const sendOf = (key: string): Request => ({
  method: 'POST',
  path: '/v1/otp/send',
  headers: { authorization: `Bearer ${key}` },
  body: { phone_number: '+2348031234567' },
});

const sends = ({ billing }: TestGateway) => billing.commands.size;

const keysOf = async (person: Person) =>
  (await dashboard(person, 'GET', 'keys')).body.data as { key_id: string }[];

describe('a send that withholds its last byte', () => {
  it('is refused once the key is deleted, as the next request is', async () => {
    const owner = await newOwner(gateway);
    const { body: key } = await dashboard(owner, 'POST', 'keys', { mode: 'test' });
    const held = await withhold(gateway, port, sendOf(key.key));
    const before = sends(gateway);
    expect((await dashboard(owner, 'DELETE', `keys/${key.key_id}`)).status).toBe(204);
    const next = await gateway.post('/v1/otp/send', key.key, {});
    const { status, body } = await held.release();
    expect(status).toBe(401);
    const requestId = expect.any(String);
    expect(body).toEqual({ error: { ...next.body.error, request_id: requestId } });
    expect(sends(gateway)).toBe(before);
  });
});

describe('a call with a session that withholds its last byte', () => {
  it('makes no key once the password is changed, and is on record', async () => {
    const owner = await newOwner(gateway);
    const other = new Person(gateway, owner.email);
    await other.logIn();
    const before = await keysOf(owner);
    const held = await withhold(gateway, port, as(other, NEW_KEY));
    const passwords = { current_password: PASSWORD, new_password: 'staple battery horse' };
    expect((await owner.call('POST', '/auth/password', passwords)).status).toBe(204);
    const { status, body } = await held.release();
    expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    expect(await keysOf(owner)).toEqual(before);
    const audit = await dashboard(owner, 'GET', 'audit');
    expect(audit.body.data[0]).toMatchObject({ path: '/dashboard/keys', status: 401 });
  });
});
