/**
 * Open-loop load: this many sends start per second, without waiting for earlier ones. It does
 * everything a customer does, and logs everything a customer sees. The seed determines the
 * requests, not the answers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../support/http.ts';
import type { RunningSystem } from '../support/system.ts';
import { type Customer, type Request, RetryingClient } from './client.ts';
import {
  type ClientLogWriter,
  type Exchange,
  isAccepted,
  type Operation,
} from '../invariants/client-log.ts';
import {
  choose,
  HAMMERED,
  Numbers,
  type Random,
  scenarioOf,
  seededRandom,
  SEQUELS,
  TREATMENTS,
  type Treatments,
  VERIFICATIONS,
  wrongCode,
} from './load.policy.ts';

export interface LoadOptions {
  system: RunningSystem;
  /** The simulator with the phones. */
  carriers: HttpClient;
  log: ClientLogWriter;
  /**
   * The customers: most of the load, one that soon runs out of credits, one with a narrow prefix
   * limit.
   */
  customers: { usual: Customer[]; poor: Customer; narrow: Customer };
  sendsPerSecond: number;
  seed: number;
  /** Shared by all loads of a run, because each number is used once. */
  numbers: Numbers;
  /** Default: the usual mixture. */
  treatments?: Treatments | undefined;
  /** While this many are open, nothing new starts, so outages in a row pile up no more. */
  underWayMax?: number | undefined;
}

const TICK_MS = 10;
/** Share of sends that exceed the limit of their number. */
const HAMMERING_SHARE = 0.05;
const WATCHED_AFTER_MS = [0, 300, 1_500, 4_000];
const CODE_POLLS_MAX = 40;
const CODE_POLL_MS = 250;
const STOP_TIMEOUT_MS = 45_000;
/** Customers do not wait for each other, also while answers take long. */
const CONNECTIONS_MAX = 1_000;

export class Load {
  started = 0;
  private readonly options: LoadOptions;
  private readonly random: Random;
  private readonly http: HttpClient;
  private readonly client: RetryingClient;
  private readonly numbers: Numbers;
  private readonly stopping = new AbortController();
  private readonly givingUp = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private ticking: Promise<void> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
    this.numbers = options.numbers;
    this.http = new HttpClient(`http://127.0.0.1:${options.system.port}`, CONNECTIONS_MAX);
    this.client = new RetryingClient(this.http, options.log, this.givingUp.signal);
    options.system.ended.addEventListener('abort', () => {
      this.stopping.abort();
      this.givingUp.abort();
    });
  }

  start(): void {
    this.ticking = this.tick();
  }

  /** No new sends; resolves when every request has its answer, or the timeout has passed. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ticking;
    const timeout = sleep(STOP_TIMEOUT_MS, undefined, { ref: false });
    const settled = (async () => {
      while (this.underWay.size > 0) await Promise.all(this.underWay);
    })();
    await Promise.race([settled, timeout]);
    this.givingUp.abort();
    await settled;
    await this.http.close();
  }

  private async tick(): Promise<void> {
    const startedAt = performance.now();
    while (!this.stopping.signal.aborted) {
      const due = ((performance.now() - startedAt) / 1_000) * this.options.sendsPerSecond;
      for (; this.started < due; this.started += 1) {
        const { underWayMax = Number.POSITIVE_INFINITY } = this.options;
        if (this.underWay.size < underWayMax) this.keep(this.one(this.started));
      }
      await sleep(TICK_MS);
    }
  }

  private keep(work: Promise<void>): void {
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  /**
   * Starts one request. All random draws come before its first wait, so that the seed determines
   * them.
   */
  private one(ordinal: number): Promise<void> {
    const { random } = this;
    const { usual, poor, narrow } = this.options.customers;
    const key = `${this.options.seed}-${ordinal}`;
    if (random() < HAMMERING_SHARE) {
      const { operation, destination } = HAMMERED[Math.floor(random() * HAMMERED.length)]!;
      return this.hammer(this.send(narrow, operation, destination, key));
    }
    const who = choose(random, { usual: 91, poor: 5, narrow: 4 });
    const operation: Operation = who === 'narrow' || random() < 0.5 ? 'otp_send' : 'sms_send';
    const customer =
      who === 'usual' ? usual[Math.floor(random() * usual.length)]! : { poor, narrow }[who];
    const destination =
      who === 'narrow' ? this.numbers.freshInNarrowPrefix() : this.numbers.fresh(random);
    return this.journey(this.send(customer, operation, destination, key), {
      scenario: scenarioOf(choose(random, this.options.treatments ?? TREATMENTS), destination),
      sequel: choose(random, SEQUELS),
      verification: choose(random, VERIFICATIONS),
    });
  }

  private send(
    customer: Customer,
    operation: Operation,
    destination: string,
    idempotencyKey: string,
  ): Request {
    const content = operation === 'sms_send' ? { message: `Order ${idempotencyKey} is here.` } : {};
    const body = JSON.stringify({ phone_number: destination, ...content });
    return { customer, operation, idempotencyKey, body, destination };
  }

  private async hammer(send: Request): Promise<void> {
    await this.client.settle(send);
  }

  private async journey(
    send: Request,
    plan: {
      scenario: Record<string, unknown> | null;
      sequel: keyof typeof SEQUELS;
      verification: keyof typeof VERIFICATIONS;
    },
  ): Promise<void> {
    if (plan.scenario !== null) await this.arrange(plan.scenario, send.destination);
    const answer = await this.client.settle(send);
    if (answer === undefined || !isAccepted(answer)) return;
    const { id } = JSON.parse(answer.answer) as { id: string };
    if (send.operation === 'otp_send') this.keep(this.verify(send, id, plan.verification));
    await this.sequel(send, id, plan.sequel);
  }

  private async arrange(scenario: Record<string, unknown>, destination: string): Promise<void> {
    if ('receipts' in scenario && (scenario['receipts'] as unknown[]).length === 0) {
      this.options.log.add('silentDestinations', destination);
    }
    await this.options.carriers.post('/_simulator/scenarios', scenario).catch(() => undefined);
  }

  private async sequel(send: Request, id: string, sequel: keyof typeof SEQUELS): Promise<void> {
    if (sequel === 'repeat') {
      await this.client.settle(send);
    } else if (sequel === 'otherBody') {
      const body = JSON.stringify({ ...(JSON.parse(send.body) as object), metadata: { other: 1 } });
      await this.client.settle({ ...send, body });
    } else if (sequel === 'watch') {
      const kind = send.operation === 'otp_send' ? 'otp' : 'sms';
      for (const waitMs of WATCHED_AFTER_MS) {
        if (waitMs > 0) await sleep(waitMs);
        await this.client.observe(send.customer, kind, id);
      }
    }
  }

  private async verify(
    send: Request,
    id: string,
    verification: keyof typeof VERIFICATIONS,
  ): Promise<void> {
    if (verification === 'none') return;
    const code = await this.codeAt(send.destination);
    if (code === undefined) return;
    const request = (guessed: string, ordinal: number): Request => ({
      ...send,
      operation: 'otp_verify',
      idempotencyKey: `${send.idempotencyKey}-guess-${ordinal}`,
      body: JSON.stringify({ otp_id: id, code: guessed }),
    });
    const guess = (guessed: string, ordinal: number): Promise<Exchange | undefined> =>
      this.client.settle(request(guessed, ordinal));
    switch (verification) {
      case 'right':
        await guess(code, 1);
        break;
      case 'rightWithoutKey':
        // Asked once: a second one would be a second guess.
        await this.client.exchange({ ...request(code, 1), isWithoutKey: true });
        break;
      case 'wrongThenRight':
        await guess(wrongCode(code), 1);
        await guess(code, 2);
        break;
      case 'twiceAtOnce':
        await Promise.all([guess(code, 1), guess(code, 2)]);
        break;
      case 'exhausted':
        for (let ordinal = 1; ordinal <= 6; ordinal += 1) await guess(wrongCode(code), ordinal);
    }
  }

  /** Returns the code on the phone, or undefined when nothing arrives. */
  private async codeAt(destination: string): Promise<string | undefined> {
    const path = `/_simulator/messages?to=${encodeURIComponent(destination)}`;
    for (let poll = 0; poll < CODE_POLLS_MAX && !this.givingUp.signal.aborted; poll += 1) {
      await sleep(CODE_POLL_MS);
      const answer = await this.options.carriers.get(path).catch(() => undefined);
      const text = (answer?.json as { body: string }[] | undefined)?.at(-1)?.body;
      const [code] = /\b\d{4,8}\b/.exec(text ?? '') ?? [];
      if (code !== undefined) return code;
    }
    return undefined;
  }
}
