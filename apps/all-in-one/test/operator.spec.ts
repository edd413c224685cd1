import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callbackSecretOf } from '@watchword/carriers';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { runCommand } from '../src/operator/run-command.js';
import { installation } from '../src/services.js';

const secrets = {
  PEPPER: 'p'.repeat(32),
  ENCRYPTION_KEY: '0f'.repeat(32),
  CALLBACK_SECRET: 'c'.repeat(16),
  CALLBACK_BASE_URL: 'https://sms.example.com',
};
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase(
    installation.definitions.map(({ name, migrations }) => ({ schema: name, migrations })),
  );
}, 120_000);

afterAll(() => database.drop());

async function operate(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const environment = { ...secrets, DATABASE_URL: database.adminUrl };
  await runCommand(args, environment, (line) => void lines.push(line));
  return lines;
}

describe('npm run operator', () => {
  it('lists its commands when the name is missing or unknown', async () => {
    await expect(operate()).rejects.toThrow(/Usage: npm run operator.*\n\n.*repair-outbox/s);
    await expect(operate('repair')).rejects.toThrow('Unknown command "repair".');
  });

  it('prints what to enter at each carrier, and never the key of all addresses', async () => {
    const lines = await operate('callback-urls');
    const secret = callbackSecretOf(secrets.CALLBACK_SECRET, 'africas_talking', 'africas_talking');
    expect(lines).toContain(`  https://sms.example.com/callbacks/africas_talking/${secret}`);
    expect(lines.join('\n')).not.toContain(secrets.CALLBACK_SECRET);
  });

  it('repairs outboxes that are ahead of the server', async () => {
    const admin = createClient({ url: database.adminUrl, applicationName: 'spec' });
    await admin.connect();
    await admin.query(
      `INSERT INTO billing.outbox_offsets (topic, xid, position) VALUES
         ('svc.send-commands.v1', ((pg_current_xact_id()::text)::bigint + 1000000)::text::xid8, 0)`,
    );
    await admin.end();
    expect(await operate('repair-outbox')).toEqual([
      'billing: 0 messages in order, 0 wait to be sent (0 messages and 1 offsets were ahead of the server).',
    ]);
    expect(await operate('repair-outbox')).toEqual([
      'Nothing to repair: every outbox belongs to this server.',
    ]);
  });
});
