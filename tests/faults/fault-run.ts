import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabasePool, freePort, startEmbeddedPostgres } from '@watchword/postgres';
import { type BusState, readEmbeddedBus } from '../invariants/bus-state.ts';
import {
  type CheckOptions,
  checkInvariants,
  databaseDirectory,
  gatewaysOf,
} from '../invariants/check.ts';
import {
  ClientLogWriter,
  type Exchange,
  type HandsetMessage,
  isAccepted,
  type ReceivedAttempt,
} from '../invariants/client-log.ts';
import { checkDrained } from '../invariants/drain.check.ts';
import type { InvariantReport } from '../invariants/tally.ts';
import type { ClusterCredentials } from '../support/cluster-processes.ts';
import type { HttpClient } from '../support/http.ts';
import { kafkaAccess } from '../support/kafka-access.ts';
import { Operator } from '../support/operator.ts';
import { type Received, WebhookReceiver } from '../support/receiver.ts';
import { RunningSystem } from '../support/system.ts';
import { embeddedUrl, withDatabase } from './database.ts';
import { readKafka } from './kafka-state.ts';
import { Load, type LoadOptions } from './load.ts';
import { Numbers, type Random, seededRandom, type Treatments } from './load.policy.ts';
import { openWorkspaces } from './loaded-workspaces.ts';
import { type Outage, type OutagePromise, reportOutage } from './outage.ts';
import { MailboxWitness } from './mailbox-witness.ts';
import { OwnCarriers } from './own-carriers.ts';
import { OwnServers } from './own-servers.ts';

export interface FaultRunOptions {
  sendsPerSecond: number;
  seed: number;
  /** Program to run, for example a whole cluster. Default: one process. */
  program?: string | undefined;
  /** Uses the test's servers instead of the system's own. */
  ownServers?: boolean | undefined;
  treatments?: Treatments | undefined;
  /** See `Load`. Unlimited by default. */
  underWayMax?: number | undefined;
  /** Whether a receiver is sometimes too slow for the lane of fast ones. */
  slowWebhooks?: boolean | undefined;
  say?: ((sentence: string) => void) | undefined;
}

/** Acts on the system while the load runs. The load begins before it and ends after it. */
export type Fault = (run: FaultRun, random: Random) => Promise<void>;

export interface FaultOutcome {
  reports: InvariantReport[];
  /** Input for a repeated check, for tests of the checker. */
  evidence: Omit<CheckOptions, 'databaseUrl'>;
  accepted: number;
  /** Milliseconds from the end of the load until nothing was left to do. */
  drainMs: number;
  /** Broken promises about outages. */
  broken: string[];
}

/** Checks, each after a drain. In a long run OTPs expire meanwhile, and the check holds up their receiver. */
const DRAIN_CHECKS = 5;
const DRAIN_POLL_MS = 500;
const DRAINED_INVARIANT = 9;

/** One event of this many is answered late. */
const SLOW_WEBHOOK_OF = 256;
const SLOW_WEBHOOK_MS = 1_500;

/** ADR 5: an email without an answer to its second hand-over waits 5 minutes for a report. */
const DRAIN_TIMEOUT_MS = 400_000;

/**
 * A system under load, in its own directory, with carriers and receivers that sometimes fail.
 * Faults come one after the other. After each, everything must come to an end, and the checker
 * verifies all invariants over everything so far.
 */
export class FaultRun {
  readonly directory = mkdtempSync(join(tmpdir(), 'watchword-fault-'));
  readonly dataDir = join(this.directory, 'data');
  readonly log = new ClientLogWriter(join(this.directory, 'client.ndjson'));
  readonly received: ReceivedAttempt[] = [];
  readonly options: FaultRunOptions;
  readonly say: (sentence: string) => void;
  system!: RunningSystem;
  servers: OwnServers | undefined;
  /** Absent from a cluster, whose own simulator is never killed. */
  private ownCarriers: OwnCarriers | undefined;
  private outages: Outage[] = [];
  private complaints: string[] = [];
  private receiver!: WebhookReceiver;
  private customers!: LoadOptions['customers'];
  private readonly numbers = new Numbers();
  private readonly seen = new Map<string, number>();
  private readonly mailbox: MailboxWitness;
  private loads = 0;

  private constructor(options: FaultRunOptions) {
    this.options = options;
    this.say = options.say ?? (() => undefined);
    this.mailbox = new MailboxWitness(() => this.system?.simulator);
  }

  static async open(options: FaultRunOptions): Promise<FaultRun> {
    const run = new FaultRun(options);
    run.say(`seed ${options.seed}, ${options.sendsPerSecond} sends/s, in ${run.directory}`);
    run.receiver = await WebhookReceiver.start();
    run.receiver.answer = (delivery) => run.receive(delivery);
    run.system = new RunningSystem(await freePort(), run.dataDir, {}, options.program);
    try {
      if (options.program === undefined) await run.startCarriers();
      if (options.ownServers) await run.startServers();
      await run.system.start();
      const operator = new Operator(run.system);
      run.customers = await openWorkspaces(operator, run.receiver.url, run.log);
    } catch (error) {
      await run.stop();
      throw error;
    }
    return run;
  }

  async under(fault: Fault): Promise<FaultOutcome> {
    const { system, carriers, log, customers, numbers } = this;
    const { sendsPerSecond, treatments, underWayMax } = this.options;
    const seed = this.options.seed + 2 * this.loads++;
    const before = this.accepted();
    const exchangesBefore = log.log.exchanges.length;
    this.outages = [];
    this.complaints = [];
    const rate = { sendsPerSecond, underWayMax, treatments };
    const load = new Load({ system, carriers, log, customers, numbers, seed, ...rate });
    try {
      load.start();
      await fault(this, seededRandom(seed + 1)).finally(() => load.stop());
      const accepted = this.accepted() - before;
      this.say(`load ended: ${accepted} sends accepted`);
      const broken = this.reportOutages(log.log.exchanges.slice(exchangesBefore));
      const drainMs = await this.drain();
      this.say(`drained after ${Math.round(drainMs)} ms`);
      broken.push(...this.complaints);
      return { ...(await this.check()), accepted, drainMs, broken };
    } catch (error) {
      const said = this.system.output.slice(-4_000);
      throw new Error(`seed ${seed}: ${String(error)}\nThe system said:\n${said}`, {
        cause: error,
      });
    }
  }

  /** Something is unavailable from now on, until the returned function is called. */
  unavailable(what: string, promise: OutagePromise = {}): () => void {
    const outage = { what, from: Date.now(), until: Infinity, promise };
    this.outages.push(outage);
    return () => {
      outage.until = Date.now();
    };
  }

  /** Checks a promise that the fault itself has observed. */
  expect(isKept: boolean, complaint: string): void {
    if (!isKept) this.complaints.push(complaint);
  }

  /** Repeats the work while a server that was killed recovers. */
  withDatabase<Result>(work: (database: DatabasePool) => Promise<Result>): Promise<Result> {
    return withDatabase(() => this.databaseUrl, work);
  }

  /** Stops the system for good, also in the middle of a fault. Returns its exit code. */
  async stop(): Promise<number | null> {
    await this.mailbox.stop();
    const exitCode = await this.system.end();
    await this.servers?.stop();
    await this.ownCarriers?.stop();
    const { http, simulator } = this.system;
    await Promise.all([this.receiver.close(), http?.close(), simulator?.close(), this.log.close()]);
    return exitCode;
  }

  /** Removes what the run wrote, wherever the database had to lie. */
  async remove(): Promise<void> {
    const server = await startEmbeddedPostgres({ directory: databaseDirectory(this.directory) });
    await server.destroy();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The superuser's URL of the running server. */
  get databaseUrl(): string {
    return embeddedUrl(databaseDirectory(this.directory));
  }

  /** The simulator with the phones. */
  get carriers(): HttpClient {
    return this.ownCarriers?.http ?? this.system.simulator;
  }

  private async startCarriers(): Promise<void> {
    this.ownCarriers = await OwnCarriers.start(this.directory, this.system.port);
    Object.assign(this.system.settings, this.ownCarriers.environment);
  }

  private async startServers(): Promise<void> {
    this.servers = await OwnServers.start(join(this.directory, 'servers'));
    Object.assign(this.system.environment, this.servers.environment);
  }

  private reportOutages(exchanges: readonly Exchange[]): string[] {
    return this.outages.flatMap((outage) => {
      const { sentence, broken } = reportOutage(outage, exchanges);
      this.say(sentence);
      return broken.map((what) => `${outage.what}: ${what}`);
    });
  }

  private accepted(): number {
    const sends = this.log.log.exchanges.filter(({ operation }) => operation !== 'otp_verify');
    return new Set(sends.filter(isAccepted).map(({ idempotencyKey: key }) => key)).size;
  }

  private async check(): Promise<Pick<FaultOutcome, 'reports' | 'evidence'>> {
    const { databaseUrl } = this;
    let evidence = await this.evidence();
    let reports = await checkInvariants({ databaseUrl, ...evidence });
    for (let again = 0; again < DRAIN_CHECKS && isOnlyNotDrained(reports); again += 1) {
      if ((await this.drain()) >= DRAIN_TIMEOUT_MS) break;
      evidence = await this.evidence();
      reports = await checkInvariants({ databaseUrl, ...evidence });
    }
    const write = (name: string, value: unknown) =>
      writeFileSync(join(this.directory, name), JSON.stringify(value));
    write('simulator.json', evidence.simulatorMessages);
    write('receiver.json', evidence.receiverLog);
    write('mailbox.json', evidence.mailbox);
    if (evidence.bus) write('bus.json', evidence.bus);
    return { reports, evidence };
  }

  private async evidence(): Promise<FaultOutcome['evidence']> {
    const messages = await this.carriers.get('/_simulator/messages');
    return {
      clientLog: this.log.log,
      simulatorMessages: messages.json as HandsetMessage[],
      receiverLog: this.received,
      mailbox: await this.mailbox.copies(),
      bus: await this.kafka(),
      gateways: gatewaysOf(this.directory),
    };
  }

  /** Undefined where the bus is the embedded one. */
  private async kafka(): Promise<BusState | undefined> {
    const access = kafkaAccess(this.system.credentials as Partial<ClusterCredentials>);
    return access && (await readKafka(access));
  }

  /** Waits until invariant 9 holds or the time is over. The checker reports what is left. */
  private async drain(): Promise<number> {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const { silentDestinations } = this.log.log;
    await this.withDatabase(async (database) => {
      while (elapsed() < DRAIN_TIMEOUT_MS) {
        const bus = (await this.kafka()) ?? (await readEmbeddedBus(database));
        const tally = await checkDrained(database, bus, silentDestinations);
        if (tally.violationCount === 0) break;
        await sleep(DRAIN_POLL_MS);
      }
    });
    return elapsed();
  }

  /** Every twentieth event is refused once, every hundredth twice: retries are part of the path. */
  private receive({ path, headers, rawBody, receivedAt }: Received): number {
    const eventId = headers['webhook-id'] ?? '';
    const seen = this.seen.get(eventId) ?? 0;
    this.seen.set(eventId, seen + 1);
    const number = Number.parseInt(eventId.slice(-4), 16);
    const isSlow = this.options.slowWebhooks && seen === 0 && number % SLOW_WEBHOOK_OF === 0;
    this.receiver.delayMs = isSlow ? SLOW_WEBHOOK_MS : 0;
    const draw = number % 100;
    const refusals = draw === 0 ? 2 : draw < 6 ? 1 : 0;
    const status = seen < refusals ? 500 : 200;
    const signature = headers['x-svc-signature'] ?? '';
    this.received.push({ path, eventId, signature, body: rawBody, status, receivedAt });
    return status;
  }
}

function isOnlyNotDrained(reports: readonly InvariantReport[]): boolean {
  const broken = reports.filter(({ violationCount }) => violationCount > 0);
  return broken.length === 1 && broken[0]?.invariant === DRAINED_INVARIANT;
}
