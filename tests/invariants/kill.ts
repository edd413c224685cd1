/**
 * The kill test: load, SIGKILLs of the main process at random moments, a start on the same directory and
 * port after each; then everything has to come to an end, and the checker to hold all ten invariants.
 * `node tests/invariants/kill.ts --kills 10 [--rate 200] [--seed n] [--keep]`
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPool, startEmbeddedPostgres } from '@watchword/postgres';
import { Operator } from '../support/operator.ts';
import { type Received, WebhookReceiver } from '../support/receiver.ts';
import { freePort, RunningSystem } from '../support/system.ts';
import { type CheckOptions, checkInvariants, holds, renderReports } from './check.ts';
import type { Customer } from './client.ts';
import {
  ClientLogWriter,
  type HandsetMessage,
  isAccepted,
  type ReceivedAttempt,
} from './client-log.ts';
import { checkDrained } from './drain.check.ts';
import { Load } from './load.ts';
import { seededRandom, type Treatments } from './load.policy.ts';
import type { InvariantReport } from './tally.ts';

export interface KillOptions {
  kills: number;
  sendsPerSecond: number;
  seed: number;
  /** How long the load runs before the first kill, between two, and after the last. */
  pauseMs: readonly [min: number, max: number];
  treatments?: Treatments | undefined;
  say?: (sentence: string) => void;
}

export interface KillOutcome {
  reports: InvariantReport[];
  /** What is needed to check once more, for tests of the checker. */
  evidence: Omit<CheckOptions, 'databaseUrl'>;
  accepted: number;
  kills: number;
  drainMs: number;
  stopExitCode: number | null;
}

/** ADR 5: after a crash an SMS without an answer waits 5 + 30 s; then a carrier and a webhook or two. */
const DRAIN_PATIENCE_MS = 75_000;

const MESSAGE_EVENTS = [
  'otp.sent',
  'otp.delivered',
  'otp.verified',
  'otp.expired',
  'otp.failed',
  'sms.sent',
  'sms.delivered',
  'sms.failed',
];

/** Everything one run needs, in a directory of its own. */
export class KillRun {
  readonly directory = mkdtempSync(join(tmpdir(), 'watchword-kill-'));
  readonly dataDir = join(this.directory, 'data');
  readonly log = new ClientLogWriter(join(this.directory, 'client.ndjson'));
  readonly received: ReceivedAttempt[] = [];
  private readonly seen = new Map<string, number>();
  private readonly options: KillOptions;
  private readonly say: (sentence: string) => void;

  constructor(options: KillOptions) {
    this.options = options;
    this.say = options.say ?? (() => undefined);
  }

  async run(): Promise<KillOutcome> {
    const { seed, sendsPerSecond, kills, treatments } = this.options;
    this.say(`seed ${seed}, ${kills} kills, ${sendsPerSecond} sends/s, in ${this.directory}`);
    const system = new RunningSystem(await freePort(), this.dataDir);
    const receiver = await WebhookReceiver.start();
    receiver.answer = (delivery) => this.receive(delivery);
    try {
      await system.start();
      const customers = await this.openWorkspaces(new Operator(system), receiver.url);
      const load = new Load({ system, log: this.log, customers, sendsPerSecond, seed, treatments });
      load.start();
      await this.killAgainAndAgain(system);
      await load.stop();
      return await this.settle(system);
    } catch (error) {
      throw new Error(`seed ${seed}; the system said:\n${system.output.slice(-4_000)}`, {
        cause: error,
      });
    } finally {
      await system.stop();
      await Promise.all([receiver.close(), system.http?.close(), system.simulator?.close()]);
      await this.log.close();
    }
  }

  /** Removes what the run wrote, wherever the database had to lie. */
  async remove(): Promise<void> {
    const server = await startEmbeddedPostgres({ directory: this.dataDir });
    await server.destroy();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async killAgainAndAgain(system: RunningSystem): Promise<void> {
    const random = seededRandom(this.options.seed + 1);
    const [min, max] = this.options.pauseMs;
    const pause = () => sleep(min + random() * (max - min));
    for (let kill = 1; kill <= this.options.kills; kill += 1) {
      await pause();
      await system.stop('SIGKILL');
      const killedAt = performance.now();
      await system.start();
      this.say(`kill ${kill}: back after ${Math.round(performance.now() - killedAt)} ms`);
    }
    await pause();
  }

  private async settle(system: RunningSystem): Promise<KillOutcome> {
    const sends = this.log.log.exchanges.filter(({ operation }) => operation !== 'otp_verify');
    const accepted = new Set(sends.filter(isAccepted).map(({ idempotencyKey: key }) => key)).size;
    this.say(`load ended: ${accepted} sends accepted in ${sends.length} requests`);
    const drainMs = await this.drain();
    this.say(`drained after ${Math.round(drainMs)} ms`);
    const simulatorMessages = (await system.simulator.get('/_simulator/messages'))
      .json as HandsetMessage[];
    const stopExitCode = await system.stop();
    const evidence = {
      clientLog: this.log.log,
      simulatorMessages,
      receiverLog: this.received,
    };
    writeFileSync(join(this.directory, 'simulator.json'), JSON.stringify(simulatorMessages));
    writeFileSync(join(this.directory, 'receiver.json'), JSON.stringify(this.received));
    const server = await startEmbeddedPostgres({ directory: this.dataDir });
    try {
      const reports = await checkInvariants({ databaseUrl: server.url, ...evidence });
      return { reports, evidence, accepted, kills: this.options.kills, drainMs, stopExitCode };
    } finally {
      await server.stop();
    }
  }

  /** Until invariant 9 holds, or patience ends: what is left then, the checker reports. */
  private async drain(): Promise<number> {
    const startedAt = performance.now();
    const url = databaseUrlOf(this.dataDir);
    const database = createPool({ url, applicationName: 'watchword-drain', max: 1 });
    try {
      const elapsed = () => performance.now() - startedAt;
      const { silentDestinations } = this.log.log;
      while (elapsed() < DRAIN_PATIENCE_MS) {
        const { violationCount } = await checkDrained(database, silentDestinations);
        if (violationCount === 0) break;
        await sleep(500);
      }
      return elapsed();
    } finally {
      await database.end();
    }
  }

  /** Every twentieth event is refused once, every hundredth twice: retries are part of the path. */
  private receive({ path, headers, rawBody, receivedAt }: Received): number {
    const eventId = headers['webhook-id'] ?? '';
    const seen = this.seen.get(eventId) ?? 0;
    this.seen.set(eventId, seen + 1);
    const draw = Number.parseInt(eventId.slice(-4), 16) % 100;
    const refusals = draw === 0 ? 2 : draw < 6 ? 1 : 0;
    const status = seen < refusals ? 500 : 200;
    const signature = headers['x-svc-signature'] ?? '';
    this.received.push({ path, eventId, signature, body: rawBody, status, receivedAt });
    return status;
  }

  private async openWorkspaces(operator: Operator, receiverUrl: string) {
    const answer = await operator.request('PATCH', '/settings', {
      limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
    });
    if (answer.status !== 200) throw new Error(`settings: ${answer.status} ${answer.text}`);
    const open = (name: string, options: OpenOptions) =>
      this.openWorkspace(operator, `${receiverUrl}/${name}`, options);
    return {
      usual: [
        await open('first', { events: MESSAGE_EVENTS }),
        await open('second', { events: MESSAGE_EVENTS, segments: 60 }),
        await open('third', {}),
      ],
      poor: await open('poor', { credits: 300 }),
      narrow: await open('narrow', { prefixLimit: 20 }),
    };
  }

  private async openWorkspace(
    operator: Operator,
    url: string,
    { credits = 10_000_000, prefixLimit = null, segments = 0, events }: OpenOptions,
  ): Promise<Customer> {
    const limits = {
      otp_sends_per_number_per_10_minutes: 3,
      otp_verifications_per_number_per_10_minutes: 10,
      sms_per_number_per_minute: 10,
      otp_sends_per_prefix_per_hour: prefixLimit,
    };
    const workspace = await operator.createWorkspace({
      credits,
      settings: { limits: { ...limits, key_per_minute: null, workspace_per_minute: null } },
    });
    if (segments > 0) {
      const plan = { sms_segments_per_month: segments };
      const answer = await operator.request('PUT', `/workspaces/${workspace.id}/plan`, plan);
      if (answer.status !== 200) throw new Error(`plan: ${answer.status} ${answer.text}`);
    }
    const secret = await operator.putWebhook(workspace, url, events);
    const webhook = { path: new URL(url).pathname, secret };
    const { id, liveKey } = workspace;
    this.log.add('workspaces', { id, webhook, limits });
    return { id, liveKey, webhook, limits };
  }
}

interface OpenOptions {
  credits?: number;
  prefixLimit?: number | null;
  /** Its plan: a month's grant, which the load soon exceeds. */
  segments?: number;
  events?: string[];
}

/** Of the server that runs in this directory now. */
function databaseUrlOf(dataDir: string): string {
  const read = (...path: string[]) => readFileSync(join(dataDir, ...path), 'utf8');
  const password = read('postgres-password').trim();
  let cluster = join(dataDir, 'postgres');
  try {
    cluster = read('postgres-location').trim();
  } catch {
    // It lies in its usual place.
  }
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://watchword:${password}@127.0.0.1:${port}/postgres`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '10' },
      rate: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      keep: { type: 'boolean', default: false },
    },
  });
  const run = new KillRun({
    kills: Number(values.kills),
    sendsPerSecond: Number(values.rate),
    seed: Number(values.seed),
    pauseMs: [2_000, 4_000],
    say: console.log,
  });
  const { reports } = await run.run();
  console.log(renderReports(reports));
  process.exitCode = holds(reports) ? 0 : 1;
  if (values.keep) console.log(`kept: ${run.directory}`);
  else await run.remove();
}

if (import.meta.main) await main();
