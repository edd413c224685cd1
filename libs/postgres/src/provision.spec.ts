/** Passwords of roles: what a start changes. `database-log.spec.ts` proves that no log has one. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { migrate } from './migrate.js';
import { createClient } from './pool.js';
import { urlFor } from './provision.js';
import { scramVerifier } from './scram-verifier.js';

/** As an operator's server may be set to find a fault. */
const TALKATIVE = {
  ...{ log_statement: 'all', log_min_error_statement: 'error', log_error_verbosity: 'default' },
  ...{ log_parameter_max_length: '-1', log_parameter_max_length_on_error: '-1' },
  password_encryption: 'md5',
};
const PASSWORDS = { billing: 'plain-password-of-billing', dispatch: 'schön\u00ADes ½ Passwort' };

class One1763680000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE one ()');
  }
  async down(): Promise<void> {}
}

let directory: string;
let server: EmbeddedPostgres;
let readTo = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword roles '));
  await chmod(directory, 0o755);
  server = await startEmbeddedPostgres({ directory: join(directory, 'data'), settings: TALKATIVE });
  await asAdmin(`CREATE ROLE little LOGIN PASSWORD '${scramVerifier('little')}'`);
});

beforeEach(() => logged());

afterAll(async () => {
  await server?.destroy();
  await rm(directory, { recursive: true, force: true });
});

async function asAdmin(statement: string) {
  const client = createClient({ url: server.url, applicationName: 'spec' });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

async function canLogIn(service: string, password: string): Promise<boolean> {
  const url = urlFor(server.url, `watchword_${service}`, password);
  const client = createClient({ url, applicationName: 'spec' });
  const connecting = client.connect().then(() => client.end());
  return connecting.then(
    () => true,
    () => false,
  );
}

/** Returns what the server logged since the last call. */
async function logged(): Promise<string> {
  const log = await readFile(join(directory, 'data', 'postgres.log'), 'utf8');
  const text = log.slice(readTo);
  readTo = log.length;
  return text;
}

async function start(passwords: Record<string, string> = PASSWORDS, adminUrl = server.url) {
  const others: string[] = [];
  const plans = [{ schema: 'billing', migrations: [One1763680000001] }];
  await migrate({ adminUrl, passwords, plans, onOtherPasswords: (of) => others.push(...of) });
  return others;
}

describe('passwords of roles', () => {
  it('are not sent by a user who may not set them', async () => {
    const little = urlFor(server.url, 'little', 'little');
    await expect(start(PASSWORDS, little)).rejects.toThrow(/may not prepare .* give it CREATEROLE/);
    const log = await logged();
    expect(log).toContain('rolcreaterole');
    expect(log).not.toMatch(/ALTER ROLE|SCRAM-SHA-256|plain-password|Passwort/);
  });

  it('are sent as verifiers, with which the roles log in', async () => {
    expect(await start()).toEqual([]);
    const log = await logged();
    expect(log).toMatch(/ALTER ROLE "watchword_billing" PASSWORD 'SCRAM-SHA-256\$4096:/);
    for (const [service, password] of Object.entries(PASSWORDS)) {
      expect([service, await canLogIn(service, password)]).toEqual([service, true]);
      expect(await canLogIn(service, 'another')).toBe(false);
    }
    const { rows } = await asAdmin(
      `SELECT shobj_description(oid, 'pg_authid') AS comment FROM pg_roles
       WHERE rolname = 'watchword_billing'`,
    );
    expect(rows).toEqual([{ comment: 'Watchword, password' }]);
  });

  it('are not changed where they already work', async () => {
    expect(await start()).toEqual([]);
    expect(await logged()).not.toMatch(/ALTER ROLE|COMMENT ON ROLE/);
  });

  it('are changed where they do not work, and the names of those services are returned', async () => {
    expect(await start({ ...PASSWORDS, billing: 'a new one' })).toEqual(['billing']);
    const log = await logged();
    expect(log.match(/ALTER ROLE "\w+" PASSWORD/g)).toEqual([
      'ALTER ROLE "watchword_billing" PASSWORD',
    ]);
    expect(await canLogIn('billing', 'a new one')).toBe(true);
    expect(await canLogIn('billing', PASSWORDS.billing)).toBe(false);
  });
});

describe('a verifier', () => {
  it('equals the one that PostgreSQL computes', async () => {
    await asAdmin(
      `SET password_encryption = 'scram-sha-256'; CREATE ROLE theirs PASSWORD '${PASSWORDS.dispatch}'`,
    );
    const { rows } = await asAdmin(
      `SELECT rolpassword AS verifier FROM pg_authid WHERE rolname = 'theirs'`,
    );
    const { verifier } = rows[0] as { verifier: string };
    const salt = Buffer.from(/:([^$]+)\$/.exec(verifier)![1]!, 'base64');
    expect(scramVerifier(PASSWORDS.dispatch, salt)).toBe(verifier);
  });
});
