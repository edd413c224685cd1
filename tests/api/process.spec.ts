/**
 * The process: issue 3 sections 1 and 3, decisions 6 and 7. Every system here belongs to this file.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HttpClient } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { expectRefusedByLimit, Suite } from '../support/suite.js';
import { freePort } from '../../libs/postgres/src/free-port.js';
import { RunningSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

jest.setTimeout(180_000);

/** Two systems side by side, one of them in a directory with spaces. */
const first = new Suite();
const second = new Suite();
const directories: string[] = [];
let receiver: WebhookReceiver;

async function systemIn(name: string): Promise<RunningSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), name));
  directories.push(dataDir);
  return new RunningSystem(await freePort(), dataDir).start();
}

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  await Promise.all([
    first.open(() => systemIn('watchword with spaces ')),
    second.open(() => systemIn('watchword-beside-')),
  ]);
});

afterAll(async () => {
  await Promise.all([first.system?.close(), second.system?.close(), receiver?.close()]);
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

const failingStart = (port: number, dataDir: string) =>
  new RunningSystem(port, dataDir).startInVain();

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
  it('issue 3: with other ports and directories, each for itself', async () => {
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

  it('issue 3: the demo workspace has 10,000 credits', async () => {
    const { workspace_id } = second.system.credentials;
    const { json } = await second.operator.request('GET', `/workspaces/${workspace_id}`);
    expect(json.balance).toBe(10_000);
  });
});

describe('a start that cannot be', () => {
  it('issue 3: on a DATA_DIR in use says so in one line, exit code 1', async () => {
    const { exitCode, lines } = await failingStart(await freePort(), first.system.dataDir);
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining('in use')],
    });
    expect((await first.http.get('/health')).status).toBe(200);
  });

  it('issue 3: on a PORT that is taken says so in one line and leaves nothing', async () => {
    const dataDir = join(tmpdir(), `watchword-never-${randomUUID()}`);
    const { exitCode, lines } = await failingStart(first.system.port, dataDir);
    expect({ exitCode, lines }).toEqual({ exitCode: 1, lines: [expect.stringContaining('PORT')] });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('issue 3: on a DATA_DIR that cannot be made says so in one line', async () => {
    const { exitCode, lines } = await failingStart(await freePort(), '/dev/null/data');
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining('DATA_DIR')],
    });
  });
});

describe('limits by address', () => {
  it('decisions 6: 100 calls a minute without a valid key, /v1 only', async () => {
    const limits = { ip_unauthenticated_per_minute: 100 };
    await second.operator.request('PATCH', '/settings', { limits });
    const wrong = { key: `svc_live_${'a'.repeat(32)}` };
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => second.http.get(`/v1/otp/${randomUUID()}`, wrong)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(29);
    expect(refused.length).toBeLessThanOrEqual(31);
    expectRefusedByLimit(refused[0]!, 60);
    expect((await second.http.get('/health')).status).toBe(200);
    const customer = await second.customer();
    expect((await customer.sendOtp()).status).toBe(200);
    await second.operator.request('PATCH', '/settings', {
      limits: { ip_unauthenticated_per_minute: null },
    });
  });
});

describe('SIGKILL', () => {
  it('issue 3: at any moment under load, nothing acknowledged is lost or sent twice', async () => {
    const customer = await first.customer({ credits: 5_000 });
    await first.operator.putWebhook(customer.workspace, receiver.url);
    const acknowledged = new Map<string, { number: string; text: string; key: string }>();
    const unanswered: { number: string; key: string }[] = [];
    let running = true;
    /** While no system answers, sends would follow at once and exceed the key's limit. */
    const client = async () => {
      while (running) {
        const number = freshNumber();
        const key = randomUUID();
        const headers = { 'idempotency-key': key };
        await customer.sendOtp({ phone_number: number }, { headers }).then(
          (answer) => {
            if (answer.status === 200) {
              acknowledged.set(answer.json.id, { number, text: answer.text, key });
            }
            // It is unknown whether it was charged.
            if (answer.status >= 500) unanswered.push({ number, key });
          },
          async () => {
            unanswered.push({ number, key });
            await sleep(500);
          },
        );
      }
    };
    const clients = Array.from({ length: 8 }, client);
    try {
      await waitUntil('some load', () => acknowledged.size >= 150, { timeoutMs: 60_000 });
      await first.system.stop('SIGKILL');
    } finally {
      running = false;
    }
    await Promise.all(clients);
    await first.system.start();

    for (const { number, key } of unanswered) {
      const headers = { 'idempotency-key': key };
      const answer = await customer.sendOtp({ phone_number: number }, { headers });
      expect(answer.status).toBe(200);
      acknowledged.set(answer.json.id, { number, text: answer.text, key });
    }
    for (const id of acknowledged.keys()) {
      await customer.otpWith('delivered', id, { timeoutMs: 40_000 });
    }
    const { length: charges } = (await customer.ledger()).filter(({ kind }) => kind === 'charge');
    expect(charges).toBe(acknowledged.size);
    expect(await customer.balance()).toBe(5_000 - 5 * acknowledged.size);

    const replays = [...acknowledged.values()].slice(0, 20);
    for (const { number, text, key } of replays) {
      const headers = { 'idempotency-key': key };
      const answer = await customer.sendOtp({ phone_number: number }, { headers });
      expect([answer.text, answer.headers['idempotent-replayed']]).toEqual([text, 'true']);
    }
    const untold = () => {
      const told = new Set(receiver.events('otp.sent').map(({ json }) => json.data.id));
      return [...acknowledged.keys()].filter((id) => !told.has(id));
    };
    // A delivery that was running when the process died is resumed when its lease ends.
    await waitUntil('every otp.sent', () => untold().length === 0, { timeoutMs: 60_000 });
  });

  it('issue 3: after it, a key still opens and a code still verifies', async () => {
    const customer = await first.customer();
    const number = freshNumber();
    const { json } = await customer.sendOtp({ phone_number: number });
    const code = await first.codeAt(number);
    await first.system.stop('SIGKILL');
    await first.system.start();
    expect((await customer.verify(json.id, code)).json.valid).toBe(true);
  });
});

describe('without the dispatcher', () => {
  it('issue 3: sends still succeed, charged, and are delivered later', async () => {
    const customer = await second.customer({ credits: 100 });
    const number = freshNumber();
    await second.system.stop();
    second.system.environment = {
      SERVICES: 'gateway,billing,webhooks',
      DISPATCH_ADDRESS: `127.0.0.1:${await freePort()}`,
      RPC_SECRET: randomUUID(),
    };
    await second.system.start();
    const otp = await customer.sendOtp({ phone_number: number });
    const sms = await customer.sendSms();
    expect([otp.status, sms.status]).toEqual([200, 200]);
    expect(await customer.balance()).toBe(90);
    const early = await customer.getOtp(otp.json.id);
    expect(early.status).not.toBe(404);
    await second.system.stop();
    second.system.environment = {};
    await second.system.start();
    await customer.otpWith('delivered', otp.json.id);
    await customer.smsWith('delivered', sms.json.id);
    const code = await second.codeAt(number);
    expect((await customer.verify(otp.json.id, code)).json.valid).toBe(true);
    expect(await customer.balance()).toBe(90);
  });
});

describe('SIGTERM', () => {
  it('architecture 7.10: a limit does not begin anew with the process', async () => {
    const customer = await second.customer();
    const body = { phone_number: freshNumber() };
    for (let time = 0; time < 3; time += 1) await customer.sendOtp(body);
    await second.system.stop();
    await second.system.start();
    expectRefusedByLimit(await customer.sendOtp(body), 600);
  });

  it('issue 3: under load drains within 5 s and leaves no process and no listener', async () => {
    const customer = await second.customer({ credits: 5_000 });
    const { dataDir, credentials } = second.system;
    expect(processesOf(dataDir).length).toBeGreaterThan(0);
    let accepted = 0;
    let running = true;
    const clients = Array.from({ length: 4 }, async () => {
      while (running) {
        const answer = await customer.sendOtp().catch(() => undefined);
        if (answer === undefined) break;
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 200) accepted += 1;
      }
    });
    await waitUntil('some load', () => accepted >= 20);
    const signalled = performance.now();
    const exitCode = await second.system.stop('SIGTERM');
    running = false;
    await Promise.all(clients);
    const tookMs = performance.now() - signalled;
    expect({ exitCode, output: second.system.output }).toMatchObject({ exitCode: 0 });
    // The exit code proves that it drained in five seconds. A slow machine starts and ends late.
    expect(tookMs).toBeLessThan(30_000);
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
