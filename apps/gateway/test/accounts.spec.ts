import { describe, expect, it } from '@jest/globals';
import { openGateway } from './gateway.kit.js';
import { newOwner, PASSWORD, Person } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const HOUR_MS = 60 * 60 * 1_000;

useGateway({ TRUSTED_PROXIES: '1' });

describe('a signup', () => {
  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: `${'a'.repeat(250)}@example.com` }],
    ['email', { email: 'ada@b´cher.example' }],
    ['email', { email: 'ada..b@example.com' }],
    ['password', { password: 'short' }],
    ['workspace_name', { workspace_name: '' }],
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
  it('decisions 2: the database has passwords as argon2id hashes, and only a hash of a session', async () => {
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
