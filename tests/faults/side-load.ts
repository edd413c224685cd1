import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, HttpClient } from '../support/http.ts';
import { Operator, type Workspace } from '../support/operator.ts';
import type { RunningSystem } from '../support/system.ts';
import { insist } from './insist.ts';
import { SideEmails } from './side-emails.ts';
import { SideMessages } from './side-messages.ts';

/** What happens to an OTP of the side load after its send. */
const FATES = ['expires', 'cancelled', 'resent', 'refused a resend'] as const;
type Fate = (typeof FATES)[number];

const OTP_EVERY_MS = 100;
const EMAIL_EVERY_MS = 150;
const OPERATOR_EVERY_MS = 300;
const BATCH_EVERY_MS = 3_000;
const MESSAGE_EVERY_MS = 500;
const UNDER_WAY_MAX = 200;
/**
 * Thirty unverified ones would look like pumping to the guard, which then throttles their prefix.
 */
const OTPS_OF_A_WORKSPACE = 12;
const TTL_SECONDS = 20;
/** Milliseconds after which the sweep has written the expiry, also on a loaded machine. */
const EXPIRED_AFTER_MS = (TTL_SECONDS + 5) * 1_000;

/** Shared in a process, because each number and each name is used once. */
let ordinal = 0;

/**
 * What the main load leaves out, a little of each all the time: OTPs that expire, are cancelled or
 * sent again, resends refused after their reservation; batches, scheduled messages and an agent's
 * sends; emails; and operators' changes of accounts. It uses its own workspaces; the checker knows them by the database
 * alone.
 */
export class SideLoad {
  private readonly http: HttpClient;
  private readonly operator: Operator;
  private readonly emails: SideEmails;
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly messages: SideMessages;
  private rich!: Workspace;
  private narrow!: Workspace;
  private ticking: Promise<unknown> = Promise.resolve();
  private otps = 0;

  constructor(system: RunningSystem) {
    this.http = new HttpClient(`http://127.0.0.1:${system.port}`);
    system.ended.addEventListener('abort', () => {
      this.stopping.abort();
      void this.http.close();
    });
    this.operator = new Operator(system);
    const simulator = () => system.simulator;
    const around = { http: this.http, operator: this.operator, simulator };
    this.messages = new SideMessages(around, (...asked) => this.ask(...asked));
    this.emails = new SideEmails(around, (...asked) => this.ask(...asked));
  }

  async start(): Promise<void> {
    await this.openWorkspaces();
    await this.messages.open();
    await this.emails.open(ordinal);
    this.ticking = Promise.all([
      this.every(OTP_EVERY_MS, () => this.nextOtp()),
      this.every(OPERATOR_EVERY_MS, () => this.operate()),
      this.every(EMAIL_EVERY_MS, () => this.emails.next(ordinal)),
      this.every(BATCH_EVERY_MS, () => this.messages.batch(ordinal)),
      this.every(MESSAGE_EVERY_MS, () => this.messages.scheduled(ordinal)),
      this.every(MESSAGE_EVERY_MS, () => this.messages.agent(ordinal)),
    ]);
  }

  private async openWorkspaces(): Promise<void> {
    const open = (otpsPerNumber: number | null) =>
      this.operator.createWorkspace({
        credits: 10_000_000,
        settings: {
          limits: {
            otp_sends_per_number_per_10_minutes: otpsPerNumber,
            otp_sends_per_prefix_per_hour: null,
            key_per_minute: null,
            workspace_per_minute: null,
          },
        },
      });
    [this.rich, this.narrow] = await Promise.all([open(null), open(1)]);
  }

  /**
   * Everything that was begun has its answer then, and its OTPs have come to their end, which the checker could
   * see by halves otherwise; the system must be there.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ticking;
    await Promise.all(this.underWay);
    await this.http.close();
    await sleep(EXPIRED_AFTER_MS);
  }

  private async every(everyMs: number, begin: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      if (this.underWay.size < UNDER_WAY_MAX) {
        ordinal += 1;
        const work = begin();
        this.underWay.add(work);
        void work.finally(() => this.underWay.delete(work));
      }
      await sleep(everyMs);
    }
  }

  private async nextOtp(): Promise<void> {
    this.otps += 1;
    if (this.otps % OTPS_OF_A_WORKSPACE === 0) return this.openWorkspaces().catch(() => undefined);
    return this.otp(FATES[this.otps % FATES.length]!);
  }

  private async otp(fate: Fate): Promise<void> {
    const key = `side-${ordinal}`;
    const { liveKey } = fate === 'refused a resend' ? this.narrow : this.rich;
    const body = { phone_number: `+234809${2_000_000 + ordinal}`, ttl_seconds: TTL_SECONDS };
    const sent = await this.ask(liveKey, '/v1/otp/send', key, body);
    const id = sent?.json?.id as string | undefined;
    if (id === undefined || fate === 'expires') return;
    const action = fate === 'cancelled' ? 'cancel' : 'resend';
    await this.ask(liveKey, `/v1/otp/${id}/${action}`, `${key}-${action}`);
  }

  /** Accounts that are opened, topped up and given a plan. What fails is not tried again. */
  private async operate(): Promise<void> {
    const { operator, rich } = this;
    const name = `Side ${ordinal}`;
    await Promise.allSettled([
      operator.createWorkspace({ name, credits: 10 }),
      operator.request(
        'POST',
        `/workspaces/${rich.id}/top-ups`,
        { credits: 1, kind: 'bonus', note: name },
        { 'idempotency-key': `side-${ordinal}` },
      ),
      operator.request('PUT', `/workspaces/${rich.id}/plan`, {
        sms_segments_per_month: ordinal % 100,
      }),
    ]);
  }

  private ask(
    key: string,
    path: string,
    idempotencyKey: string,
    body: unknown = {},
  ): Promise<Answer | undefined> {
    const headers = { 'idempotency-key': idempotencyKey };
    return insist(() => this.http.post(path, body, { key, headers }));
  }
}
