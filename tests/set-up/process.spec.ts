import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpClient } from '../support/http.js';
import { Suite } from '../support/suite.js';
import { freePort } from '../../libs/postgres/src/free-port.js';
import { RunningSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

/** Two systems side by side, one of them in a directory with spaces. */
const first = new Suite();
const second = new Suite();
const directories: string[] = [];

async function systemIn(name: string): Promise<RunningSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), name));
  directories.push(dataDir);
  return new RunningSystem(await freePort(), dataDir).start();
}

beforeAll(async () => {
  await Promise.all([
    first.open(() => systemIn('watchword with spaces ')),
    second.open(() => systemIn('watchword-beside-')),
  ]);
});

afterAll(async () => {
  await Promise.all([first.system?.close(), second.system?.close()]);
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Returns processes that work in or for this directory. */
function processesOf(dataDir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir);
      } catch {
        return false;
      }
    });
}

describe('two side by side', () => {
  it('with other ports and directories, each for itself', async () => {
    const [mine, yours] = await Promise.all([first.customer(), second.customer()]);
    const [one, other] = await Promise.all([mine.sendSms(), yours.sendSms()]);
    await Promise.all([
      mine.smsWith('delivered', one.json.id),
      yours.smsWith('delivered', other.json.id),
    ]);
    expect((await mine.getOtp(other.json.id, { key: yours.liveKey })).status).toBe(401);
    expect(first.system.credentials.operator_token).not.toBe(
      second.system.credentials.operator_token,
    );
  });

  it('the demo workspace has 10,000 credits', async () => {
    const { workspace_id } = second.system.credentials;
    const { json } = await second.operator.request('GET', `/workspaces/${workspace_id}`);
    expect(json.balance).toBe(10_000);
  });
});

describe('SIGTERM', () => {
  it('under load drains within 5 s and leaves no process and no listener', async () => {
    const customer = await second.customer({ credits: 5_000 });
    const { dataDir, credentials } = second.system;
    expect(processesOf(dataDir).length).toBeGreaterThan(0);
    let accepted = 0;
    let running = true;
    const clients = Array.from({ length: 4 }, async () => {
      while (running) {
        const answer = await customer.sendOtp().catch(() => undefined);
        if (answer === undefined) break;
        // A quick machine reaches the limit of a number's prefix.
        expect([200, 429, 503]).toContain(answer.status);
        if (answer.status === 200) accepted += 1;
      }
    });
    await waitUntil('some load', () => accepted >= 20);
    const exitCode = await second.system.stop('SIGTERM');
    running = false;
    await Promise.all(clients);
    expect({ exitCode, output: second.system.output }).toMatchObject({ exitCode: 0 });
    await waitUntil('every process to be gone', () => processesOf(dataDir).length === 0);
    for (const url of [credentials.base_url, credentials.simulator_url]) {
      const client = new HttpClient(url);
      await expect(client.get('/health')).rejects.toThrow();
      await client.close();
    }
    const port = second.system.port;
    await new Promise<void>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
    });
    await second.system.start();
    expect(await customer.balance()).toBe(5_000 - 5 * accepted);
  });
});
