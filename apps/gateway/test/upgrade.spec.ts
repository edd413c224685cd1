import { afterAll, describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { migrate } from '@watchword/postgres';
import { testDatabase, type TestDatabase } from '@watchword/testing';
import { demoSeed, gatewayService } from '../src/index.js';
import { openGateway, type TestGateway } from './gateway.kit.js';
import { ListedInvitations1797100000000 } from '../src/migrations/listed-invitations.migration.js';
import { WorkspaceStore } from '../src/accounts/workspaces/workspace.store.js';
import { Person } from './person.kit.js';

/** The schema before accounts existed. */
const migrations = gatewayService.migrations.slice(0, 2);
const NOBODY = '01890000-0000-7000-8000-000000000000';

const upgrade = ({ adminUrl }: TestDatabase) =>
  migrate({
    adminUrl,
    passwords: { gateway: 'test' },
    plans: [{ schema: 'gateway', migrations: gatewayService.migrations }],
  });

let gateway: TestGateway | undefined;

afterAll(() => gateway?.close());

describe('an installation that is older than accounts', () => {
  it('keeps its audit, and its demo user can log in and see it', async () => {
    const demo = demoSeed.draw();
    const database = await testDatabase({ service: 'gateway', migrations });
    const effects = [
      { workspace_id: demo.workspaceId, credits: 5 },
      { refused: 'not_found' },
      null,
    ];
    for (const effect of effects) {
      await database.pool.query(
        `INSERT INTO operator_audit (id, request_id, method, path, client_ip, status, effect)
         VALUES ($1, $2, 'POST', '/operator/v1/x', '127.0.0.1', 201, $3)`,
        [newId(), NOBODY, effect && JSON.stringify(effect)],
      );
    }
    await upgrade(database);
    gateway = await openGateway({ TRUSTED_PROXIES: '1' }, database);
    await demoSeed.ensure(demo, gateway.platform);
    const person = new Person(gateway, demo.email);
    expect((await person.logIn({ password: demo.password })).status).toBe(200);
    const { body } = await person.call('GET', '/dashboard/audit');
    expect(body.data).toMatchObject([
      { actor: { type: 'user', email: demo.email }, path: '/auth/login' },
      { actor: { type: 'operator' }, effect: effects[0], status: 201 },
    ]);
    const { rows } = await database.pool.query('SELECT FROM audit_records');
    expect(rows).toHaveLength(effects.length + 1);
  });
});

describe('an installation that is older than decisions 28', () => {
  const all = gatewayService.migrations;
  const before = all.slice(0, all.indexOf(ListedInvitations1797100000000));
  const [workspaceId, ownerId, keyId] = [newId(), newId(), newId()];
  const strict = { anti_spam: 'block', country_enforcement: 'enforce' };

  async function audited({ pool }: TestDatabase, path: string, effect: object) {
    const isUser = path.startsWith('/dashboard');
    await pool.query(
      `INSERT INTO audit_records
         (id, actor, user_id, workspace_id, request_id, method, path, client_ip, status, effect)
       VALUES ($1, $2, $3, $4, $5, 'PATCH', $6, '127.0.0.1', $7, $8)`,
      [
        ...[newId(), isUser ? 'user' : 'operator', isUser ? ownerId : null, workspaceId, NOBODY],
        ...[path, path.endsWith('keys') ? 201 : 200, JSON.stringify(effect)],
      ],
    );
  }

  /** An owner made a key and chose a setting, of two that stand. */
  async function older(): Promise<TestDatabase> {
    const database = await testDatabase({ service: 'gateway', migrations: before });
    const { pool } = database;
    await pool.query(
      `INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'a@x.com', 'Ada', 'none')`,
      [ownerId],
    );
    await pool.query(
      `INSERT INTO workspaces (id, name, billing_country, settings) VALUES ($1, 'Acme', 'NG', $2)`,
      [workspaceId, JSON.stringify({ ...strict, strict_otp: true })],
    );
    await pool.query(
      `INSERT INTO api_keys (id, workspace_id, token_hash, mode, permission, name, prefix, last4)
       VALUES ($1, $2, sha256('x'), 'live', 'full', 'Key', 'svc_', 'xxxx')`,
      [keyId, workspaceId],
    );
    for (const expires of ['2026-01-01', '2026-01-02']) {
      await pool.query(
        `INSERT INTO invitations
           (token_hash, workspace_id, email, role, invited_by, created_at, expires_at)
         VALUES (sha256($1::text::bytea), $2, 'b@x.com', 'member', $3, $1::date, $1::date)`,
        [expires, workspaceId, ownerId],
      );
    }
    await audited(database, '/dashboard/keys', { key_id: keyId });
    await audited(database, '/operator/v1/workspaces/x', { settings: strict });
    await audited(database, '/dashboard/workspace', { settings: { anti_spam: 'block' } });
    return database;
  }

  it('an upgrade from before decisions 28 keeps makers of keys, the operator’s floors and one invitation of an address', async () => {
    const database = await older();
    await upgrade(database);
    const { pool } = database;
    const key = await pool.query('SELECT created_by FROM api_keys WHERE id = $1', [keyId]);
    expect(key.rows).toEqual([{ created_by: ownerId }]);
    const left = await pool.query(`SELECT expires_at::date::text AS expires FROM invitations`);
    expect(left.rows).toEqual([{ expires: '2026-01-02' }]);
    const workspace = await new WorkspaceStore(pool).find(workspaceId as WorkspaceId);
    expect(workspace?.floors).toEqual({ country_enforcement: 'enforce' });
    expect(workspace?.settings).toMatchObject({ ...strict, strict_otp: true });
    await database.drop();
  });
});
