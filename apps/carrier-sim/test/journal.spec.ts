import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CarrierSim } from '../src/index.js';
import {
  ACCOUNT_SID,
  API_KEY,
  AUTH_TOKEN,
  Bench,
  CallbackReceiver,
  until,
  USERNAME,
} from './carrier-sim.kit.js';
import type { Callback } from './carrier-sim.kit.js';

const PROGRAM = join(import.meta.dirname, '../dist/main.js');
/** Milliseconds. The simulator is killed long before. */
const LATER_MS = 600_000;
const SERVICE_SID = `MG${'0'.repeat(32)}`;

/** The simulator as a program that can be killed and restarted, each time on another port. */
class SimulatorProgram implements Pick<CarrierSim, 'url' | 'close'> {
  url = '';
  private child: ChildProcess | undefined;

  constructor(
    private readonly journalPath: string,
    private readonly receiver: CallbackReceiver,
  ) {}

  /** Replaces one that a failed test has left. */
  async start(callbackPath: string, receiptDelayMs: number): Promise<void> {
    await this.close();
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        CARRIER_SIM_PORT: '0',
        CARRIER_SIM_RECEIPT_DELAY_MS: String(receiptDelayMs),
        CARRIER_SIM_JOURNAL: this.journalPath,
        CARRIER_SIM_TWILIO_ACCOUNT_SID: ACCOUNT_SID,
        CARRIER_SIM_TWILIO_AUTH_TOKEN: AUTH_TOKEN,
        CARRIER_SIM_AFRICAS_TALKING_USERNAME: USERNAME,
        CARRIER_SIM_AFRICAS_TALKING_API_KEY: API_KEY,
        CARRIER_SIM_AFRICAS_TALKING_CALLBACK_URL: `${this.receiver.url}${callbackPath}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    const [line] = await once(child.stdout, 'data');
    this.url = /http\S+/.exec(String(line))![0];
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  close(): Promise<void> {
    return this.end('SIGKILL');
  }
}

function referenceOf({ form }: Callback): string | undefined {
  return form.MessageSid ?? form.id;
}

function isDelivered({ form }: Callback): boolean {
  return form.MessageStatus === 'delivered' || form.status === 'Success';
}

describe('journal', () => {
  let directory: string;
  let journalPath: string;
  let simulator: SimulatorProgram;
  let bench: Bench;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'carrier-sim-'));
    journalPath = join(directory, 'carrier-sim.ndjson');
    const receiver = await new CallbackReceiver().listen();
    simulator = new SimulatorProgram(journalPath, receiver);
    bench = new Bench(simulator, receiver);
  });
  afterAll(async () => {
    await bench.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await rm(journalPath, { force: true });
    bench.receiver.clear();
  });

  const deliveredReferences = () =>
    new Set(bench.receiver.callbacks.filter(isDelivered).map(referenceOf));
  const waitUntilReported = (references: readonly string[]): Promise<boolean> =>
    until(() => {
      const delivered = deliveredReferences();
      return references.every((reference) => delivered.has(reference));
    });
  const messageReferences = async (): Promise<string[]> =>
    (await bench.control('GET', '/messages')).json.map(
      (message: { reference: string }) => message.reference,
    );

  /** Lets `LATER_MS` pass for these messages, or for all, while the simulator is down. */
  async function passWhileDown(references?: readonly string[]): Promise<void> {
    const lines = (await readFile(journalPath, 'utf8')).split('\n');
    const earlier = lines.map((line) =>
      references && !references.some((reference) => line.includes(reference))
        ? line
        : line.replace(
            /"receivedAtMs":(\d+)/,
            (_, ms) => `"receivedAtMs":${Number(ms) - LATER_MS}`,
          ),
    );
    await writeFile(journalPath, earlier.join('\n'));
  }

  async function submit(index: number): Promise<string> {
    const to = `+23480312${String(index).padStart(5, '0')}`;
    if (index % 2) return (await bench.twilio({ To: to })).json.sid;
    const { json } = await bench.africasTalking({ phoneNumbers: [to] });
    return json.SMSMessageData.Recipients[0].messageId;
  }

  /** Kills the simulator under load. Returns what it had answered. */
  async function submitUntilKilled(killAfter: number): Promise<string[]> {
    const answered: string[] = [];
    let index = 0;
    const client = async (): Promise<void> => {
      for (;;) {
        answered.push(await submit(index++));
        if (answered.length === killAfter) void simulator.end('SIGKILL');
      }
    };
    const clients = await Promise.allSettled(Array.from({ length: 32 }, client));
    expect(clients.every(({ status }) => status === 'rejected')).toBe(true);
    await simulator.end('SIGKILL');
    return answered;
  }

  it('loses nothing that was answered, however often it is killed', async () => {
    const answered: string[] = [];
    for (const [killAfter, delayMs] of [
      [300, 150],
      [1, 150],
      [200, LATER_MS],
    ] as const) {
      await simulator.start('/callbacks/africas_talking/secret', delayMs);
      answered.push(...(await submitUntilKilled(killAfter)));
    }
    await passWhileDown();
    const reported = deliveredReferences();
    expect(answered.filter((reference) => !reported.has(reference)).length).toBeGreaterThan(0);
    await simulator.start('/callbacks/africas_talking/secret', 150);
    const kept = await messageReferences();
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept).toEqual(expect.arrayContaining(answered));
    await waitUntilReported(answered);
    expect([...deliveredReferences()]).toEqual(expect.arrayContaining(answered));
    expect((await stat(journalPath)).mode & 0o777).toBe(0o600);
    await simulator.end('SIGTERM');
  });

  it('sends what is overdue at once and in order, to the URL of the account', async () => {
    await simulator.start('/before', LATER_MS);
    const service = await bench.twilio({ To: '+2348031200001', MessagingServiceSid: SERVICE_SID });
    const account = await submit(2);
    const magic = (await bench.twilio({ To: '+2348030000002' })).json.sid;
    await bench.receiver.waitFor(2);
    await simulator.end('SIGKILL');
    await passWhileDown([service.json.sid, account]);
    const before = bench.receiver.callbacks.length;
    await simulator.start('/after', LATER_MS);
    await waitUntilReported([service.json.sid, account]);
    const late = bench.receiver.callbacks.slice(before);
    const ofService = late.filter((callback) => referenceOf(callback) === service.json.sid);
    // `sent` is repeated when the kill came before its delivery was recorded.
    expect(ofService.at(-1)!.form).toMatchObject({
      MessageStatus: 'delivered',
      MessagingServiceSid: SERVICE_SID,
      From: 'Acme',
    });
    expect(late.find((callback) => referenceOf(callback) === account)!.path).toBe('/after');
    const { json } = await bench.control('GET', '/health');
    expect(json).toMatchObject({ messages: 3, receipts: { waiting: 1, dropped: 0 } });
    expect(late.some((callback) => isDelivered(callback) && referenceOf(callback) === magic)).toBe(
      false,
    );
    await simulator.end('SIGTERM');
  });

  it('keeps trying a receipt that was not taken before the kill', async () => {
    await simulator.start('/callbacks', 20);
    bench.receiver.statuses = Array<number>(100).fill(503);
    const reference = await submit(2);
    await bench.receiver.waitFor(1);
    await simulator.end('SIGKILL');
    bench.receiver.clear();
    await simulator.start('/callbacks', 20);
    const callbacks = await bench.receiver.waitFor(1);
    expect(callbacks.map(referenceOf)).toEqual([reference]);
    await simulator.end('SIGTERM');
  });

  it('forgets cleared messages; a stop keeps receipts to come, and a torn line no other', async () => {
    await simulator.start('/callbacks', 600);
    await submit(2);
    expect((await bench.control('DELETE', '/messages')).status).toBe(204);
    expect((await stat(journalPath)).size).toBe(0);
    const others = [await submit(4)];
    await simulator.end('SIGTERM');
    await appendFile(journalPath, '{"finished":"SM1","rec');
    await simulator.start('/callbacks', 600);
    others.push(await submit(6));
    await simulator.end('SIGKILL');
    await simulator.start('/callbacks', 600);
    expect(await messageReferences()).toEqual(others);
    await waitUntilReported(others);
    await bench.settled();
    expect(new Set(bench.receiver.callbacks.map(referenceOf))).toEqual(new Set(others));
    await simulator.end('SIGTERM');
  });
});
