import { MemoryRateLimiter, type RateLimitSnapshot } from '@watchword/rate-limit';
import { seededRandom } from './load.policy.ts';
import { checkLimits } from '../invariants/client.check.ts';
import { emptyLog, type Exchange } from '../invariants/client-log.ts';
import type { Acceptance, Evidence } from '../invariants/evidence.ts';

const LIMIT = 10;
const WINDOW_MS = 60_000;
const RUN_MS = 300_000;
const SEND_EVERY_MS = 2_500;
/** The gateway's call of billing. */
const DEADLINE_MS = 5_000;
const CRASHES = 8;

const WORKSPACE = 'w';
const NUMBER = '+2348026000001';
const COUNTER = { key: NUMBER, limit: LIMIT, windowSeconds: WINDOW_MS / 1_000 };

interface Send {
  readonly id: string;
  readonly exchanges: Exchange[];
  /** When the acceptance in line before it is decided. */
  turnAt: number;
  acceptedAt: number | undefined;
}

/**
 * A customer that sends to one number, and retries; a gateway that counts in memory, and is killed
 * now and then; an acceptance that is sometimes later than the gateway waits for it.
 */
class Run {
  private now = 1_000_000;
  private readonly endsAt = this.now + RUN_MS;
  private readonly random: () => number;
  private readonly forgets: boolean;
  private readonly events: { at: number; happen: () => void }[] = [];
  private readonly sends: Send[] = [];
  private limiter = this.newLimiter();
  private kept: { takenAt: number; windows: RateLimitSnapshot } = { takenAt: 0, windows: [] };
  private life = 0;
  private isAlive = true;
  /** What another customer sees of a death. */
  private readonly lost: Exchange[] = [];

  constructor(seed: number, forgets: boolean) {
    this.random = seededRandom(seed);
    this.forgets = forgets;
  }

  violations(): string[] {
    const snapshotEveryMs = this.upTo(1) < 0.5 ? 1_000 : 1_000 + this.upTo(40_000);
    for (let at = this.now; at < this.endsAt; at += this.upTo(2 * SEND_EVERY_MS)) {
      const id = `s${this.sends.length}`;
      const send: Send = { id, exchanges: [], turnAt: 0, acceptedAt: undefined };
      this.sends.push(send);
      this.at(at, () => this.ask(send));
    }
    for (let at = this.now; at < this.endsAt; at += snapshotEveryMs) this.at(at, () => this.keep());
    for (let crash = 0; crash < CRASHES; crash += 1) {
      this.at(this.now + this.upTo(RUN_MS), () => this.die());
    }
    while (this.events.length > 0) this.next();
    return this.checked();
  }

  private next(): void {
    const first = this.events.reduce((least, one) => (one.at < least.at ? one : least));
    this.events.splice(this.events.indexOf(first), 1);
    this.now = first.at;
    first.happen();
  }

  private ask(send: Send): void {
    const exchange = this.exchange(send.id, null, Infinity);
    send.exchanges.push(exchange);
    if (!this.isAlive) return this.answer(send, exchange, null);
    const { life } = this;
    this.at(this.now + this.upTo(300), () => {
      if (life !== this.life) return;
      const counter = { ...COUNTER };
      if (!this.limiter.take([counter]).admitted) {
        return this.answer(send, exchange, send.acceptedAt === undefined ? 429 : 200);
      }
      const takesMs = this.upTo(1) < 0.8 ? this.upTo(100) : this.upTo(8_000);
      send.turnAt = Math.max(send.turnAt, this.now + takesMs);
      const askedAt = this.now;
      if (send.turnAt > askedAt + DEADLINE_MS) {
        this.at(askedAt + DEADLINE_MS, () => this.answerIn(life, send, exchange, 503));
      }
      this.at(send.turnAt, () => {
        if (life !== this.life) return;
        if (send.acceptedAt === undefined) send.acceptedAt = this.now;
        else if (this.now <= askedAt + DEADLINE_MS) this.limiter.giveBack([counter]);
        this.at(this.now + this.upTo(50), () => this.answerIn(life, send, exchange, 200));
      });
    });
  }

  private answerIn(life: number, send: Send, exchange: Exchange, status: 200 | 503): void {
    if (life === this.life && exchange.answeredAt === Infinity) this.answer(send, exchange, status);
  }

  private answer(send: Send, exchange: Exchange, status: Exchange['status']): void {
    exchange.answeredAt = this.now;
    exchange.status = status;
    if (status === 200) exchange.answer = JSON.stringify({ id: send.id, credit_cost: 1 });
    if (status === 200 || status === 429) return;
    this.at(this.now + 100 + this.upTo(1_400), () => this.ask(send));
  }

  private keep(): void {
    if (this.isAlive) this.kept = { takenAt: this.now, windows: this.limiter.snapshot() };
  }

  private die(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.life += 1;
    this.lost.push(this.exchange('another', null));
    for (const send of this.sends) {
      send.turnAt = 0;
      const unanswered = send.exchanges.filter(({ answeredAt }) => answeredAt === Infinity);
      for (const exchange of unanswered) this.answer(send, exchange, null);
    }
    this.at(this.now + 1_500 + this.upTo(5_000), () => this.restart());
  }

  private restart(): void {
    this.isAlive = true;
    this.limiter = this.newLimiter();
    if (this.forgets) return;
    this.limiter.restore(this.kept.windows);
    const missed = this.acceptances().filter((at) => at >= this.kept.takenAt);
    for (const at of missed) this.limiter.recount(COUNTER, at);
  }

  private acceptances(): number[] {
    return this.sends.flatMap(({ acceptedAt }) => acceptedAt ?? []).toSorted((a, b) => a - b);
  }

  private checked(): string[] {
    const sent = this.sends.flatMap(({ exchanges }) => exchanges);
    const limits = {
      otp_sends_per_number_per_10_minutes: null,
      otp_verifications_per_number_per_10_minutes: null,
      sms_per_number_per_minute: LIMIT,
      otp_sends_per_prefix_per_hour: null,
    };
    const client = {
      ...emptyLog(),
      workspaces: [{ id: WORKSPACE, webhook: null, limits }],
      exchanges: [...sent, ...this.lost],
    };
    const acceptances = this.sends.flatMap(({ id, acceptedAt }) =>
      acceptedAt === undefined ? [] : acceptance(id, acceptedAt),
    );
    return checkLimits({ client, acceptances } as unknown as Evidence).violations;
  }

  private exchange(key: string, status: Exchange['status'], answeredAt = this.now): Exchange {
    return {
      workspaceId: WORKSPACE,
      operation: 'sms_send',
      idempotencyKey: key,
      body: '{}',
      destination: key === 'another' ? '+2348026000002' : NUMBER,
      sentAt: this.now,
      answeredAt,
      status,
      answer: '',
      replayed: false,
    };
  }

  private newLimiter(): MemoryRateLimiter {
    return new MemoryRateLimiter({ clock: { now: () => this.now } });
  }

  private at(at: number, happen: () => void): void {
    this.events.push({ at: Math.round(at), happen });
  }

  private upTo(most: number): number {
    return this.random() * most;
  }
}

function acceptance(id: string, at: number): Acceptance {
  return {
    message_id: id,
    workspace_id: WORKSPACE,
    test_mode: false,
    credits: 1,
    created_at: new Date(at),
    kind: 'sms',
    destination: NUMBER,
    is_resend: false,
    key_id: null,
    budget_returned: false,
  };
}

/** Returns what the checker finds wrong. */
export function violationsOfARun(seed: number, { forgets = false } = {}): string[] {
  return new Run(seed, forgets).violations();
}
