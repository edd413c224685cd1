/**
 * Jest's global set-up of the suite by URL: one system for all its files, started as `npm start` does, or the
 * program that `WATCHWORD_PROGRAM` names, such as a whole cluster. The files find it by `WATCHWORD_CREDENTIALS`;
 * with that set already, the suite runs against a system that is already running, and this does nothing.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Settings of the shared system that are not the default. A spec names the ones it needs with
 * `startSystemWith`. `TRUSTED_PROXIES` lets each user of a test have a network address.
 */
async function sharedSettings() {
  const { freePort } = await import('../../libs/postgres/dist/free-port.js');
  // The simulator is the Do Not Disturb registry, so its port must be known before the start.
  const port = String(await freePort());
  return {
    TRUSTED_PROXIES: '1',
    TRACKING_HOST: 'clicks.platform.example',
    CALLBACK_SECRET: 'callback-secret-of-the-suite',
    CARRIER_SIM_PORT: port,
    DND_LOOKUP_URL: `http://127.0.0.1:${port}/dnd/lookup`,
  };
}

/** Milliseconds. What hangs for so long does not start. */
const STARTS_WITHIN_MS = 300_000;

let child;
let dataDir;

export default async function startSharedSystem() {
  if (process.env['WATCHWORD_CREDENTIALS']) return;
  const program = process.env['WATCHWORD_PROGRAM'] ?? 'apps/all-in-one/dist/main.js';
  const settings = await sharedSettings();
  dataDir = mkdtempSync(join(tmpdir(), 'watchword-suite-'));
  child = spawn(process.execPath, [join(root, program)], {
    cwd: root,
    env: { ...process.env, ...settings, LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await ready().catch(async (error) => {
    await stopSharedSystem();
    throw error;
  });
  process.env['WATCHWORD_CREDENTIALS'] = join(dataDir, 'dev-credentials.json');
  process.env['WATCHWORD_SETTINGS'] = JSON.stringify(settings);
}

export async function stopSharedSystem() {
  if (!child) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  rmSync(dataDir, { recursive: true, force: true });
  delete process.env['WATCHWORD_CREDENTIALS'];
  child = undefined;
}

function ready() {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`The shared system ${why}:\n${output}`));
    const timer = setTimeout(
      () => fail(`was not ready in ${STARTS_WITHIN_MS} ms`),
      STARTS_WITHIN_MS,
    );
    const listen = (chunk) => {
      output += chunk;
      if (!output.includes('Ready after')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}
