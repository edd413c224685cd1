import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@watchword/observability';
import { LOGGER, SERVICE_DATABASE } from '@watchword/platform';
import { createClient, DatabaseUnavailable } from '@watchword/postgres';
import type { ServiceDatabase } from '@watchword/postgres';
import type { Change, ChangeListener } from './change.js';
import { GatewayLeaseStore, type Renewal, renewLease } from './gateway-lease.store.js';

/** Milliseconds by the database's clock. A change waits at most this long for a dead gateway. */
const LEASE_MS = 2_000;
/**
 * Milliseconds by our clock, from before the question: shorter, because clocks run at different
 * speeds.
 */
const TRUSTED_MS = 1_800;
const RENEW_EVERY_MS = 1_000;
const ANSWER_TIMEOUT_MS = 10_000;
const RECONNECT_AFTER_MS = 200;
/**
 * Milliseconds without a question after which the lease is not renewed. An idle gateway writes
 * nothing.
 */
const IDLE_AFTER_MS = 5_000;
/** Milliseconds after which a silently dead connection is noticed. */
const REST_MS = 10_000;
const EVERYONE_WITHIN_MS = 10_000;

type Client = ReturnType<typeof createClient>;

/**
 * The right of one gateway to answer from memory.
 *
 * States: live (every change up to `seen` is applied here, and each further one waits for this
 * gateway), lapsed (memory must not be used; every request asks the database), left.
 *
 * - A change takes effect when `everyoneKnows` has resolved: every gateway with a running lease has
 *   reported that it has seen it. A dead, stopped or disconnected one reports nothing, and the wait
 *   ends with its lease.
 * - A lease is trusted for less time than the database grants, counted from before the question. A
 *   process that was stopped finds it lapsed, and forgets everything before it gets another.
 * - A gateway without requests lets its lease expire, so that no change waits for it. Its first
 *   request asks the database and renews the lease for the others.
 * - Notifications make it quick, but nothing depends on them: the renewal reports missed changes,
 *   and is granted only when they are applied.
 */
@Injectable()
export class GatewayLease {
  private readonly id = randomUUID();
  private readonly edges: GatewayLeaseStore;
  private readonly listeners: ChangeListener[] = [];
  private readonly leaving = new AbortController();
  private pending: Change[] = [];
  private seen = -1;
  /** By both clocks: the first does not count a sleeping machine, the second can be set. */
  private trusted = { untilMs: 0, untilWallMs: 0 };
  private askedAtMs = performance.now();
  private isResting = false;
  private isCutOff = false;
  /** The client in use. An earlier one may end late. */
  private client: Client | null = null;
  private wake: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    /** Under the service's role. */
    @Inject(SERVICE_DATABASE) private readonly database: Pick<ServiceDatabase, 'url' | 'pool'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.edges = new GatewayLeaseStore(database.pool);
  }

  /** Returns whether the lease is live. Each question keeps it from expiring. */
  mayAnswerFromMemory(): boolean {
    this.askedAtMs = performance.now();
    if (this.isResting) this.wake();
    return this.isTrusted;
  }

  private get isTrusted(): boolean {
    return performance.now() < this.trusted.untilMs && Date.now() < this.trusted.untilWallMs;
  }

  listen(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** Starts the renewal in the background. Until then the lease is lapsed, which is only slower. */
  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    this.wake();
    await this.running;
    this.lapse();
    await this.edges.leave(this.id).catch(() => undefined);
  }

  /** Call it after the commit of a change. Resolves when no gateway uses the state before it. */
  async everyoneKnows(): Promise<void> {
    const until = performance.now() + EVERYONE_WITHIN_MS;
    const number = await this.edges.lastChange();
    for (let pauseMs = 2; await this.edges.anyBehind(number); pauseMs = Math.min(50, pauseMs * 2)) {
      if (performance.now() > until) {
        throw new DatabaseUnavailable(true, new Error('a gateway does not follow the changes'));
      }
      await sleep(pauseMs);
    }
  }

  private lapse(): void {
    this.trusted = { untilMs: 0, untilWallMs: 0 };
  }

  private async run(): Promise<void> {
    while (!this.leaving.signal.aborted) {
      const client = createClient({
        url: this.database.url,
        applicationName: 'watchword-gateway-lease',
        schema: 'gateway',
        answerTimeoutMs: ANSWER_TIMEOUT_MS,
      });
      try {
        await this.connect(client);
        while (!this.leaving.signal.aborted) await this.renew(client);
      } catch (error) {
        this.logger.warn({ err: error }, 'renewing the gateway lease failed, retrying');
        await this.pause(RECONNECT_AFTER_MS);
      } finally {
        void client.end().catch(() => undefined);
      }
    }
  }

  private async connect(client: Client): Promise<void> {
    this.client = client;
    client.on('notification', ({ payload }) => {
      this.pending.push(JSON.parse(payload ?? '') as Change);
      this.wake();
    });
    client.on('end', () => {
      if (this.client !== client) return;
      this.isCutOff = true;
      this.wake();
    });
    await client.connect();
    this.isCutOff = false;
    await client.query('LISTEN gateway_changes');
  }

  /** Applies changes, then reports that it has seen them. */
  private async renew(client: Client): Promise<void> {
    await this.follow();
    const askedAt = performance.now();
    const askedAtWall = Date.now();
    const question = { ...renewLease, values: [this.id, this.seen, LEASE_MS] };
    const { rows } = await client.query<Renewal>(question);
    const { number, renewed } = rows[0] as Renewal;
    if (!renewed) return this.catchUp(number);
    // While the lease had lapsed, changes did not wait for this gateway, so it may have missed
    // some.
    if (!this.isTrusted) await this.forgetAll();
    this.trusted = { untilMs: askedAt + TRUSTED_MS, untilWallMs: askedAtWall + TRUSTED_MS };
    if (this.pending.length === 0) await this.pause(RENEW_EVERY_MS);
    await this.rest();
  }

  /**
   * Rests until the next question. Announced changes are followed meanwhile. The renewal at the end
   * notices a connection that died silently.
   */
  private async rest(): Promise<void> {
    const until = performance.now() + REST_MS;
    const isIdle = () =>
      performance.now() - this.askedAtMs > IDLE_AFTER_MS && performance.now() < until;
    this.isResting = true;
    while (isIdle() && !this.isCutOff && !this.leaving.signal.aborted) {
      await this.follow();
      if (isIdle() && this.pending.length === 0) await this.pause(REST_MS);
    }
    this.isResting = false;
  }

  private async follow(): Promise<void> {
    for (let next = this.pending.shift(); next; next = this.pending.shift()) {
      const { number } = next;
      if (number <= this.seen) continue;
      if (number > this.seen + 1) await this.forgetAll();
      else for (const listener of this.listeners) await listener.changed(next);
      this.seen = number;
    }
  }

  private async catchUp(number: number): Promise<void> {
    await this.forgetAll();
    this.seen = number;
  }

  private async forgetAll(): Promise<void> {
    for (const listener of this.listeners) await listener.forgetAll();
  }

  /** Ends early when there is something to do. */
  private async pause(ms: number): Promise<void> {
    if (this.leaving.signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.wake = () => undefined;
  }
}
