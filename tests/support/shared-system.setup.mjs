/**
 * Jest's global set-up of the black-box suite: one system for all spec files, started as
 * `npm start` does and named to them by `WATCHWORD_CREDENTIALS`. With that set already, the suite
 * runs against a system that is already running, and this does nothing.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The simulator is the Do Not Disturb registry, so its port must be known before the start. */
const simulatorPort = String(await freePort());
const registry = {
  CARRIER_SIM_PORT: simulatorPort,
  DND_LOOKUP_URL: `http://127.0.0.1:${simulatorPort}/dnd/lookup`,
};

/**
 * Settings of the shared system that are not the default. A spec names the ones it needs with
 * `startSystemWith`. `TRUSTED_PROXIES` lets each user of a test have a network address.
 */
export const sharedSettings = {
  TRUSTED_PROXIES: '1',
  TRACKING_HOST: 'clicks.platform.example',
  CALLBACK_SECRET: 'callback-secret-of-the-suite',
  ...registry,
};
const patienceMs = 90_000;

export default async function startSharedSystem() {
  if (process.env['WATCHWORD_CREDENTIALS']) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword-suite-'));
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'apps/all-in-one/dist/main.js')], {
    cwd: root,
    env: { ...environment, ...sharedSettings, LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  globalThis.sharedSystem = { child, dataDir };
  await ready(child).catch(async (error) => {
    await stopSharedSystem();
    throw error;
  });
  process.env['WATCHWORD_CREDENTIALS'] = join(dataDir, 'dev-credentials.json');
  process.env['WATCHWORD_SETTINGS'] = JSON.stringify(sharedSettings);
}

export async function stopSharedSystem() {
  const { child, dataDir } = globalThis.sharedSystem ?? {};
  if (!child) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  rmSync(dataDir, { recursive: true, force: true });
}

function ready(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`The shared system ${why}:\n${output}`));
    const timer = setTimeout(() => fail(`was not ready in ${patienceMs} ms`), patienceMs);
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

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
