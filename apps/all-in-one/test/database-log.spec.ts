/** What a server that logs every statement, with its values, has of our secrets after a start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import { waitUntil } from '@watchword/testing';

const bundle = join(import.meta.dirname, '../../../tools/start.mjs');
const EVERYTHING = {
  ...{ log_statement: 'all', log_min_error_statement: 'error', log_error_verbosity: 'default' },
  ...{ log_parameter_max_length: '-1', log_parameter_max_length_on_error: '-1' },
};
const SECRETS: Record<string, string> = {
  ENCRYPTION_KEYS: '5e'.repeat(32),
  PEPPER: `pepper-${'x'.repeat(40)}`,
  CALLBACK_SECRET: `callback-${'x'.repeat(40)}`,
  OPERATOR_TOKEN: `operator-${'x'.repeat(40)}`,
  ...Object.fromEntries(
    ['GATEWAY', 'BILLING', 'DISPATCH', 'WEBHOOKS'].map((service) => [
      `${service}_DATABASE_PASSWORD`,
      `password-of-${service.toLowerCase()}-${'x'.repeat(24)}`,
    ]),
  ),
};

let directory: string;
let server: EmbeddedPostgres;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword log '));
  await chmod(directory, 0o755);
  server = await startEmbeddedPostgres({ directory: join(directory, 'db'), settings: EVERYTHING });
});

afterEach(async () => {
  await server?.destroy();
  await rm(directory, { recursive: true, force: true });
});

it('has none of the passwords, keys and tokens', async () => {
  const data = join(directory, 'data');
  const { PATH = '' } = process.env;
  const env = { PATH, PORT: '0', DATA_DIR: data, DATABASE_URL: server.url, ...SECRETS };
  const child = spawn(process.execPath, [bundle], { cwd: directory, env });
  const drawn: string[] = [];
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  try {
    await waitUntil('the start', () => output.includes('Ready after') || child.exitCode !== null);
    expect(output).toContain('Ready after');
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(output)!;
    const headers = {
      Authorization: `Bearer ${SECRETS['OPERATOR_TOKEN']}`,
      'Content-Type': 'application/json',
    };
    const ask = async (method: string, path: string, body: object) => {
      const url = `${base}/operator/v1${path}`;
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const made = await ask('POST', '/workspaces', { name: 'Acme' });
    const url = 'https://hooks.example.com';
    const webhook = await ask('PUT', `/workspaces/${made['workspace_id']}/webhook`, { url });
    drawn.push(made['live_key']!, made['test_key']!, webhook['secret']!);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  const all = [...Object.values(SECRETS), ...drawn];
  expect(all.every((secret) => secret.length >= 12)).toBe(true);
  const log = await readFile(join(directory, 'db', 'postgres.log'), 'utf8');
  expect(log).toContain('SCRAM-SHA-256$4096:');
  expect(all.filter((secret) => log.includes(secret))).toEqual([]);
});
