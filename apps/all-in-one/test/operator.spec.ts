import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@watchword/config';
import { newId } from '@watchword/contracts';
import { isUserError, prepareInstallation } from '@watchword/host';
import { createLogger } from '@watchword/observability';
import { KeyRing } from '@watchword/platform';
import { createClient, type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import { commands } from '../src/operator/commands.js';
import { runCommand } from '../src/operator/run-command.js';
import { installation } from '../src/services.js';

const [old, young] = ['0f'.repeat(32), '1e'.repeat(32)];
const secrets = {
  PEPPER: 'p'.repeat(32),
  ENCRYPTION_KEYS: old,
  BILLING_RPC_SECRET: 'r'.repeat(32),
  CALLBACK_SECRET: 'c'.repeat(16),
};
const both = { ENCRYPTION_KEYS: `${young},${old}` };
const { definitions } = installation;
/** Its own server: passwords of roles apply to a whole server, and these specs change them. */
let server: EmbeddedPostgres;

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-operator-'));
  server = await startEmbeddedPostgres({ directory });
  await start();
});

afterAll(() => server?.destroy());

/** Starts the four services up to the point before they listen. */
async function start(settings: Record<string, string> = {}): Promise<void> {
  const environment = { ...secrets, DATABASE_URL: server.url, ...settings };
  const { config } = loadConfig(environment);
  const logger = createLogger({ service: 'spec', level: 'silent' });
  await prepareInstallation(server.url, config, definitions, logger);
}

async function operate(args: string[], settings: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  const environment = { ...secrets, DATABASE_URL: server.url, ...settings };
  await runCommand(args, environment, (line) => void lines.push(line));
  return lines;
}

async function admin<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = createClient({ url: server.url, applicationName: 'spec' });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

function fingerprints(): Promise<unknown[]> {
  const all = definitions.map(({ name }) => `SELECT '${name}', * FROM ${name}.secret_fingerprints`);
  return admin(`${all.join(' UNION ALL ')} ORDER BY 1, 2, 3`);
}

it.each(commands.filter(({ name }) => name !== 'migrate'))(
  '$name demands no secret that it does not use where DATABASE_URL is set',
  async ({ name }) => {
    const nowhere = { DATABASE_URL: 'postgres://none@127.0.0.1:1/none' };
    const error = await runCommand([name], nowhere, () => undefined).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeDefined();
    expect(error).not.toBeInstanceOf(ConfigError);
  },
);

it.each(commands.filter((command) => 'needs' in command))(
  '$name refuses a DATA_DIR without an installation, and leaves it as it is',
  async ({ name }) => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-nothing-'));
    const run = (DATA_DIR: string) => runCommand([name], { DATA_DIR }, () => undefined);
    const missing = join(directory, 'missing');
    await expect(run(missing)).rejects.toThrow(`There is no secrets.json in DATA_DIR ${missing}.`);
    await expect(run(directory)).rejects.toThrow(/Set DATA_DIR to .* or set DATABASE_URL/);
    expect(await readdir(directory)).toEqual([]);
  },
);

it('migrate prepares the database', async () => {
  expect(await operate(['migrate'])).toContainEqual(
    expect.stringMatching(/^webhooks: 0 migrations run, at \w+\.$/),
  );
});

it('callback-urls prints the addresses of the first of two secrets', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-carriers-'));
  const CARRIERS_FILE = join(directory, 'carriers.json');
  const row = {
    ...{ id: 'africas_talking', carrier: 'africas_talking', settings: { username: 'acme' } },
    // An address does not need the secrets of its account.
    secrets: { api_key: { env: 'NOT_SET_HERE' } },
  };
  await writeFile(CARRIERS_FILE, JSON.stringify([row]));
  const [old, next] = ['c'.repeat(16), 'd'.repeat(16)];
  const [alone, both] = await Promise.all(
    [next, `${next},${old}`].map((CALLBACK_SECRET) =>
      operate(['callback-urls'], {
        CARRIERS_FILE,
        CALLBACK_SECRET,
        TRACKING_HOST: 'clicks.acme.test',
      }),
    ),
  );
  expect(alone).toContainEqual(expect.stringMatching(/^ {2}http.*\/callbacks\/africas_talking\//));
  expect(alone).toContainEqual(expect.stringMatching(/^ {2}http.*\/link-hosts\//));
  expect(both).toEqual([
    ...alone!,
    expect.stringContaining('two'),
    expect.stringContaining('work'),
  ]);
});

/** Stores more content than one statement of `rotate-keys` reads, and a signing key. */
async function sealEmails([workspaceId, domainId]: string[]): Promise<void> {
  const contents = new KeyRing([old], 'watchword/email-content');
  const text = 'x'.repeat(1024 * 1024);
  for (let index = 0; index < 40; index += 1) {
    const hash = `hash ${index}`;
    await admin(
      `INSERT INTO dispatch.email_contents (workspace_id, sha256, content_cipher, stored_at)
       VALUES ($1, $2, $3, now())`,
      [workspaceId, hash, contents.seal(text, `${workspaceId} ${hash}`)],
    );
  }
  const domains = new KeyRing([old], 'watchword/dkim-key');
  await admin(
    `INSERT INTO dispatch.email_domains (id, workspace_id, name, selector, public_key, private_key,
       status, record_states, created_at)
     VALUES ($1, $2, 'a.example', 's', 'p', $3, 'pending', '{}', now())`,
    [domainId, workspaceId, domains.seal('pem', domainId!)],
  );
}

describe('rotate-keys changes nothing and forgets no key', () => {
  it.each([
    [
      'before a service has started with the new key',
      both,
      /^No service has started with .* ENCRYPTION_KEYS/,
    ],
    [
      'with a ring that lacks a key of the data',
      { ENCRYPTION_KEYS: young },
      /^The encryption key .* is missing/,
    ],
  ])('%s', async (_, ring, message) => {
    const before = await fingerprints();
    const refused = await operate(['rotate-keys'], ring).catch((error: unknown) => error);
    expect(isUserError(refused) && refused.message).toMatch(message);
    expect(await fingerprints()).toEqual(before);
  });

  it('of a service with a value that no key of the ring opens', async () => {
    const before = await fingerprints();
    const id = newId();
    const outsider = new KeyRing(['2d'.repeat(32)], 'watchword/webhook-secret');
    await admin(
      `INSERT INTO webhooks.endpoints
         (workspace_id, id, variant, url, events, status, secret, created_at, updated_at)
       VALUES ($1, $1, 'a', 'https://example.com', NULL, 'enabled', $2, now(), now())`,
      [id, outsider.seal('whsec', id)],
    );
    const refused = await operate(['rotate-keys']).catch((error: unknown) => error);
    expect(isUserError(refused) && refused.message).toMatch(
      /^A value of webhooks\.endpoints is under a key that ENCRYPTION_KEYS lacks\. Add that key/,
    );
    expect(await fingerprints()).toEqual(before);
    await admin('DELETE FROM webhooks.endpoints WHERE id = $1', [id]);
  });
});

it('decisions 24: rotate-keys rewrites every value, and the old key can leave the ring', async () => {
  const ids = Array.from({ length: 3 }, () => newId());
  const ring = new KeyRing([old], 'watchword/webhook-secret');
  await admin(
    `INSERT INTO webhooks.endpoints
       (workspace_id, id, variant, url, events, status, secret, created_at, updated_at)
     SELECT id, id, 'a', 'https://example.com', NULL, 'enabled', secret, now(), now()
       FROM unnest($1::uuid[], $2::bytea[]) AS n (id, secret)`,
    [ids, ids.map((id) => ring.seal(`whsec_${id}`, id))],
  );
  const scope = 'POST /v1/webhooks';
  await admin(
    `INSERT INTO webhooks.idempotency_keys
       (workspace_id, scope, key, fingerprint, answer, created_at)
     VALUES ($1, $2, 'key', 'f', $3, now())`,
    [ids[0], scope, ring.seal('{}', `${ids[0]} ${scope} key`)],
  );
  await sealEmails(ids);
  await start(both);
  expect(await operate(['rotate-keys'], both)).toEqual([
    'billing.payment_authorisations.authorisation: 0 values encrypted anew.',
    'dispatch.messages.code_cipher: 0 values encrypted anew.',
    'dispatch.email_contents.content_cipher: 40 values encrypted anew.',
    'dispatch.email_domains.private_key: 1 values encrypted anew.',
    'webhooks.endpoints.secret: 3 values encrypted anew.',
    'webhooks.endpoints.previous_secret: 0 values encrypted anew.',
    'webhooks.idempotency_keys.answer: 1 values encrypted anew.',
    'Every value is under the first key. The other keys can leave ENCRYPTION_KEYS.',
  ]);
  const now = new KeyRing([young], 'watchword/webhook-secret');
  const rows = await admin<{ id: string; secret: Buffer }>(
    'SELECT id, secret FROM webhooks.endpoints',
  );
  for (const { id, secret } of rows) expect(now.open(secret, id)).toBe(`whsec_${id}`);
  const contents = await admin<{ hash: string; cipher: Buffer }>(
    'SELECT sha256 AS hash, content_cipher AS cipher FROM dispatch.email_contents',
  );
  const ringOfContents = new KeyRing([young], 'watchword/email-content');
  for (const { hash, cipher } of contents)
    expect(ringOfContents.open(cipher, `${ids[0]} ${hash}`)).toHaveLength(1024 * 1024);
  await start({ ENCRYPTION_KEYS: young });
  await expect(start()).rejects.toThrow(/^The encryption key /);
  await expect(operate(['rotate-keys'])).rejects.toThrow(/^The encryption key .* is missing/);
  await start({ ENCRYPTION_KEYS: young });
});
