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
import { checkDrained, type DrainTally } from '../invariants/drain.check.ts';
import type { InvariantReport } from '../invariants/tally.ts';
import type { ClusterCredentials } from '../support/cluster-processes.ts';
import { kafkaAccess } from '../support/kafka-access.ts';
import { Operator } from '../support/operator.ts';
import { type Received, WebhookReceiver } from '../support/receiver.ts';
import { RunningSystem } from '../support/system.ts';
import { embeddedUrl, withDatabase } from './database.ts';
import { readKafka } from './kafka-state.ts';
import { Load, type LoadOptions } from './load.ts';
import { Numbers, type Random, seededRandom, type Treatments } from './load.policy.ts';
import { openWorkspaces } from './loaded-workspaces.ts';
import { reportWaits, type WatchedTime } from './message-waits.ts';
import { type Outage, type OutagePromise, reportOutage } from './outage.ts';
import { MailboxWitness } from './mailbox-witness.ts';
import { OwnServers } from './own-servers.ts';

export interface FaultRunOptions {
  sendsPerSecond: number;
  seed: number;
  /** Program to run, for example a whole cluster. Default: one process. */
  program?: string | undefined;
  /** Uses the test's servers instead of the system's own, with this many Kafka brokers. */
  ownServers?: { brokers: 1 | 3 } | undefined;
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
  /** Promises about outages that were not kept. */
  broken: string[];
}

/**
 * Times from the end of the load: until nothing was left, and until only messages were left that
 * ADR 5 lets wait.
 */
interface Drain {
  drainMs: number;
  unexplainedMs: number;
}

/** A machine that is still warming up says nothing of what a fault costs: nine of ten answers are faster first. */
const STEADY_MS = 100;
const STEADY_SHARE = 0.9;
const STEADY_OVER_MS = 2_000;
/** A machine that has no more to give never is, and is tried as it is. */
const STEADY_PATIENCE_MS = 30_000;

/** Checks, each after a drain. In a long run OTPs expire meanwhile, and the check holds up their receiver. */
const DRAIN_LOOKS = 5;
const DRAIN_LOOK_EVERY_MS = 500;
const DRAINED_INVARIANT = 9;

/** One event of this many is answered late. */
const SLOW_WEBHOOK_OF = 256;
const SLOW_WEBHOOK_MS = 1_500;

/** Twice the outage, and after a short one half a minute. */
const DRAIN_FACTOR = 2;
const DRAIN_MS_MIN = 30_000;
/** ADR 5: after a crash an SMS without an answer waits 5 + 30 s; then a carrier and a webhook or two. */
const DRAIN_PATIENCE_MS_MIN = 75_000;
/** ADR 5: an email without an answer to its second hand-over waits 5 minutes for a report. */
const ANSWERS_PATIENCE_MS = 400_000;

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
  private outages: Outage[] = [];
  private watched: WatchedTime[] = [];
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
      if (options.ownServers) await run.startServers(options.ownServers.brokers);
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
    const { system, log, customers, numbers } = this;
    const { sendsPerSecond, treatments, underWayMax } = this.options;
    const seed = this.options.seed + 2 * this.loads++;
    const before = this.accepted();
    const exchangesBefore = log.log.exchanges.length;
    this.outages = [];
    this.watched = [];
    this.complaints = [];
    const rate = { sendsPerSecond, underWayMax, treatments };
    const load = new Load({ system, log, customers, numbers, seed, ...rate });
    try {
      load.start();
      const calmFrom = await this.steady();
      await fault(this, seededRandom(seed + 1)).finally(() => load.stop());
      const accepted = this.accepted() - before;
      this.say(`load ended: ${accepted} sends accepted`);
      const broken = this.reportOutages(log.log.exchanges.slice(exchangesBefore), calmFrom);
      const { drainMs, unexplainedMs } = await this.drain();
      broken.push(...this.reportDrain({ drainMs, unexplainedMs }));
      broken.push(...this.complaints, ...(await this.reportWatched()));
      return { ...(await this.check()), accepted, drainMs, broken };
    } catch (error) {
      const said = this.system.output.slice(-4_000);
      throw new Error(`seed ${seed}: ${String(error)}\nThe system said:\n${said}`, {
        cause: error,
      });
    }
  }

  /** Something is unavailable from now on, until the returned function is called. */
  away(what: string, promise: OutagePromise = {}): () => void {
    const outage = { what, from: Date.now(), until: Infinity, promise };
    this.outages.push(outage);
    return () => {
      outage.until = Date.now();
    };
  }

  /** Once everything is drained, prints how long the messages of that time waited on the bus. */
  watch(time: WatchedTime): void {
    this.watched.push(time);
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

  private async startServers(brokers: 1 | 3): Promise<void> {
    this.servers = await OwnServers.start(join(this.directory, 'servers'), brokers);
    Object.assign(this.system.environment, this.servers.environment);
  }

  /**
   * Resolves when answers are as fast as without a fault. Only a system that has just started is
   * slower.
   */
  private async steady(): Promise<number> {
    const from = Date.now();
    if (this.loads > 1) return from;
    let share = 0;
    do {
      await sleep(STEADY_OVER_MS);
      share = fastShare(this.log.log.exchanges, Date.now() - STEADY_OVER_MS);
    } while (share < STEADY_SHARE && Date.now() - from < STEADY_PATIENCE_MS);
    const until = Date.now();
    const fast = `${Math.round(100 * share)} % of answers within ${STEADY_MS} ms`;
    this.say(`steady after ${until - from} ms: ${fast}`);
    return until - STEADY_OVER_MS;
  }

  private reportOutages(exchanges: readonly Exchange[], calmFrom: number): string[] {
    const calm = { from: calmFrom, until: Math.min(...this.outages.map(({ from }) => from)) };
    return this.outages.flatMap((outage) => {
      const { sentence, broken } = reportOutage(outage, exchanges, calm);
      this.say(sentence);
      return broken.map((what) => `${outage.what}: ${what}`);
    });
  }

  private reportDrain({ drainMs, unexplainedMs }: Drain): string[] {
    const [all, unexplained] = [Math.round(drainMs), Math.round(unexplainedMs)];
    this.say(
      `drained after ${all} ms; but for messages whose answer was lost, after ${unexplained}`,
    );
    const maxMs = this.drainMsMax();
    return unexplained > maxMs ? [`drained after ${unexplained} ms, not ${maxMs}`] : [];
  }

  private reportWatched(): Promise<string[]> {
    const { say, watched } = this;
    return this.withDatabase((database) => reportWaits(database, watched, say));
  }

  private drainMsMax(): number {
    const outagesMs = this.outages.map(({ from, until }) => until - from);
    return Math.max(DRAIN_MS_MIN, ...outagesMs.map((outageMs) => DRAIN_FACTOR * outageMs));
  }

  private accepted(): number {
    const sends = this.log.log.exchanges.filter(({ operation }) => operation !== 'otp_verify');
    return new Set(sends.filter(isAccepted).map(({ idempotencyKey: key }) => key)).size;
  }

  private async check(): Promise<Pick<FaultOutcome, 'reports' | 'evidence'>> {
    const { databaseUrl } = this;
    let evidence = await this.evidence();
    let reports = await checkInvariants({ databaseUrl, ...evidence });
    for (let again = 0; again < DRAIN_LOOKS && isOnlyNotDrained(reports); again += 1) {
      await this.drain();
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
    const messages = await this.system.simulator.get('/_simulator/messages');
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
  private async drain(): Promise<Drain> {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    let unexplainedMs: number | undefined;
    const { silentDestinations } = this.log.log;
    const patienceMs = Math.max(DRAIN_PATIENCE_MS_MIN, this.drainMsMax());
    await this.withDatabase(async (database) => {
      // Twenty kills in a row leave emails that lost two answers; nothing else may wait so long.
      while (elapsed() < (unexplainedMs === undefined ? patienceMs : ANSWERS_PATIENCE_MS)) {
        const bus = (await this.kafka()) ?? (await readEmbeddedBus(database));
        const tally = await checkDrained(database, bus, silentDestinations);
        if (unexplainedMs === undefined && (await waitForAnswers(database, tally))) {
          unexplainedMs = elapsed();
        }
        if (tally.violationCount === 0) break;
        await sleep(DRAIN_LOOK_EVERY_MS);
      }
    });
    return { drainMs: elapsed(), unexplainedMs: unexplainedMs ?? elapsed() };
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

/** Returns the share of fast answers since then. */
function fastShare(exchanges: readonly Exchange[], since: number): number {
  const first = exchanges.findLastIndex(({ answeredAt }) => answeredAt < since) + 1;
  const recent = exchanges.slice(first);
  const fast = recent.filter(({ sentAt, answeredAt }) => answeredAt - sentAt <= STEADY_MS);
  return recent.length === 0 ? 0 : fast.length / recent.length;
}

function isOnlyNotDrained(reports: readonly InvariantReport[]): boolean {
  const broken = reports.filter(({ violationCount }) => violationCount > 0);
  return broken.length === 1 && broken[0]?.invariant === DRAINED_INVARIANT;
}

/** Whether all that is left is messages that have an attempt without an answer: ADR 5 lets them wait. */
async function waitForAnswers(
  database: DatabasePool,
  { unfinishedMessages: ids, otherCount }: DrainTally,
): Promise<boolean> {
  if (otherCount > 0) return false;
  const { rows } = await database.query(
    `SELECT DISTINCT message_id FROM dispatch.attempts WHERE message_id = ANY ($1) AND was_ambiguous
     UNION SELECT DISTINCT email_id FROM dispatch.email_attempts
     WHERE email_id = ANY ($1) AND was_ambiguous`,
    [[...ids]],
  );
  return rows.length === ids.size;
}
