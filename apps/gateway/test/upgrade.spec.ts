import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { migrate } from '@watchword/postgres';
import { testDatabase } from '@watchword/testing';
import { demoSeed, gatewayService } from '../src/index.js';
import { openGateway, type TestGateway } from './gateway.kit.js';
import { Person } from './person.kit.js';

/** The schema before accounts existed. */
const migrations = gatewayService.migrations.slice(0, 2);
const NOBODY = '01890000-0000-7000-8000-000000000000';

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
    await migrate({
      adminUrl: database.adminUrl,
      passwords: { gateway: 'test' },
      plans: [{ schema: 'gateway', migrations: gatewayService.migrations }],
    });
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
