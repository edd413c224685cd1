import { describe, expect, it } from '@jest/globals';
import { demoSeed } from '../src/index.js';
import { openGateway } from './gateway.kit.js';
import { newOwner, PASSWORD, Person } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const HOUR_MS = 60 * 60 * 1_000;

useGateway({ TRUSTED_PROXIES: '1' });

describe('a signup', () => {
  it('names the variables without a value', async () => {
    const { body } = await new Person(gateway, 'grace@example.com').signUp();
    expect(body.user.name).toBe('grace');
    expect(body.workspace).toMatchObject({ name: 'grace', billing_country: 'NG' });
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a b@example.com' }],
    ['email', { email: `${'a'.repeat(250)}@example.com` }],
    ['email', { email: 7 }],
    ['password', { password: 'short' }],
    ['password', { password: 'x'.repeat(201) }],
    ['workspace_name', { workspace_name: '' }],
    ['billing_country', { billing_country: 'Kenya' }],
    ['billing_country', { billing_country: 'ZZ' }],
    ['invitation_token', { invitation_token: 'made up' }],
  ])('is refused for a wrong %s', async (field, body) => {
    const { status, body: answer } = await new Person(gateway).signUp(body);
    expect([status, answer.error.type, answer.error.field]).toEqual([
      400,
      'validation_error',
      field,
    ]);
  });

  it('of an address that has an account is a conflict, in any capitals', async () => {
    const owner = await newOwner(gateway);
    const again = await new Person(gateway, owner.email.toUpperCase()).signUp();
    expect([again.status, again.body.error.type, again.body.error.field]).toEqual([
      409,
      'conflict',
      'email',
    ]);
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('knows a domain in each of its spellings', async () => {
    const ascii = 'ada@xn--bcher-kva.example';
    const { body, status } = await new Person(gateway, 'Ada@BÜCHER.example').signUp();
    expect([status, body.user.email]).toEqual([200, ascii]);
    const again = async (one: string) => (await new Person(gateway, one).signUp()).status;
    for (const one of ['ada@bu\u0308cher.example', 'ada@ｂücher.example']) {
      expect(await again(one)).toBe(409);
    }
    for (const one of [ascii, 'Ada@Bücher.example']) {
      expect((await new Person(gateway, one).logIn()).status).toBe(200);
    }
  });

  it('makes one account however many come at once', async () => {
    const people = Array.from({ length: 5 }, () => new Person(gateway, 'twins@example.com'));
    const answers = await Promise.all(people.map((person) => person.signUp()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const { rows } = await gateway.database.pool.query(
      `SELECT workspaces.id FROM workspaces JOIN memberships ON workspace_id = workspaces.id
       JOIN users ON users.id = user_id WHERE email = 'twins@example.com'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a login', () => {
  it('answers like signup, with another session', async () => {
    const owner = await newOwner(gateway);
    const { cookie: first } = owner;
    const { status, body } = await owner.logIn();
    expect([status, body.user.email]).toEqual([200, owner.email]);
    expect(body.workspace.workspace_id).toBe(owner.workspaceId);
    expect(owner.cookie).not.toBe(first);
    const old = new Person(gateway);
    old.cookie = first;
    expect((await old.call('GET', '/auth/me')).status).toBe(200);
  });

  it('takes the address in any capitals, and the password in any normal form', async () => {
    const person = new Person(gateway);
    await person.signUp({ password: 'Ame\u0301lie-Ame\u0301lie' });
    const body = { email: person.email.toUpperCase(), password: 'Am\u00e9lie-Am\u00e9lie' };
    expect((await person.logIn(body)).status).toBe(200);
  });

  it('wants JSON with an address and a password', async () => {
    const person = new Person(gateway);
    expect((await person.call('POST', '/auth/login', { email: 'x' })).body.error).toMatchObject({
      type: 'validation_error',
      field: 'password',
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await person.call('POST', '/auth/login', 'email=x&password=y', form)).status).toBe(415);
  });

  it('keeps passwords as argon2id hashes, and nothing of a session but a hash', async () => {
    const owner = await newOwner(gateway);
    const { rows: users } = await gateway.database.pool.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE email = $1',
      [owner.email],
    );
    expect(users[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const { rows } = await gateway.database.pool.query('SELECT s::text FROM sessions s');
    const token = owner.cookie.split('=')[1] as string;
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
    expect(gateway.logs.join('')).not.toContain(token);
    expect(gateway.logs.join('')).not.toContain(PASSWORD);
  });
});

describe('a session', () => {
  it('ends after twelve hours', async () => {
    const owner = await newOwner(gateway);
    gateway.clock.advance(12 * HOUR_MS - 1_000);
    expect((await owner.call('GET', '/auth/me')).status).toBe(200);
    gateway.clock.advance(1_000);
    for (const path of ['/auth/me', '/dashboard/workspace']) {
      const { status, body } = await owner.call('GET', path);
      expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    }
    await owner.logIn();
    const { rows } = await gateway.database.pool.query(
      'SELECT FROM sessions WHERE expires_at < $1',
      [new Date(gateway.clock.now())],
    );
    expect(rows).toHaveLength(0);
  });

  it('ends with a logout, at once and only itself', async () => {
    const owner = await newOwner(gateway);
    const { cookie } = owner;
    await owner.logIn();
    const { status, headers } = await owner.call('POST', '/auth/logout');
    expect(status).toBe(204);
    expect(headers['set-cookie']).toMatch(/^svc_session=; Max-Age=0; Path=\//);
    expect((await owner.call('GET', '/auth/me')).status).toBe(401);
    owner.cookie = cookie;
    expect((await owner.call('GET', '/auth/me')).status).toBe(200);
    expect((await new Person(gateway).call('POST', '/auth/logout')).status).toBe(204);
  });

  it.each(['', 'svc_session=', 'svc_session=x', `svc_session=${'A'.repeat(43)}`, 'other=1', ';=;'])(
    'is none with the cookie "%s"',
    async (cookie) => {
      const stranger = new Person(gateway);
      stranger.cookie = cookie;
      expect((await stranger.call('GET', '/auth/me')).status).toBe(401);
    },
  );

  it('has a cookie that scripts, other sites and plain HTTP do not get', async () => {
    const answer = await new Person(gateway).signUp();
    const [session, device] = answer.headers['set-cookie'] as string[];
    expect(session).toMatch(
      /^svc_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(device).toMatch(
      /^svc_device=[\w-]{43}; Max-Age=31536000; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is secure everywhere but on loopback', async () => {
    const direct = await openGateway();
    const hosts: [string, boolean][] = [
      ['localhost:3000', false],
      ['127.0.0.1', false],
      ['[::1]:80', false],
      ['sms.example.com', true],
      ['localhost.example.com', true],
    ];
    for (const [index, [host, secure]] of hosts.entries()) {
      const body = { email: `${index}@example.com`, password: PASSWORD };
      const { headers } = await direct.post('/auth/signup', undefined, body, { host });
      expect([host, String(headers['set-cookie']).includes('; Secure')]).toEqual([host, secure]);
    }
    await direct.close();
  });
});

describe('the demo workspace', () => {
  it('can be logged into with the file, also when the file is younger than the account', async () => {
    const demo = demoSeed.draw();
    await demoSeed.ensure(demo, gateway.platform);
    await demoSeed.ensure(demo, gateway.platform);
    const first = await new Person(gateway, demo.email).logIn({ password: demo.password });
    expect([first.status, first.body.workspace.workspace_id]).toEqual([200, demo.workspaceId]);
    expect(first.body.user.role).toBe('owner');
    const younger = demoSeed.draw();
    await demoSeed.ensure(younger, gateway.platform);
    const second = await new Person(gateway, demo.email).logIn({ password: younger.password });
    expect([second.status, second.body.workspace.workspace_id]).toEqual([200, younger.workspaceId]);
    const both = { password: younger.password, workspace_id: demo.workspaceId };
    const back = await new Person(gateway, demo.email).logIn(both);
    expect(back.body.workspace.workspace_id).toBe(demo.workspaceId);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/auth/login', 405],
    ['PUT', '/auth/me', 405],
    ['GET', '/auth/nothing', 404],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await new Person(gateway).call(method, path)).status).toBe(status);
  });
});
