import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Answer, Send } from './http.js';
import { onceNotBusy } from './once-not-busy.js';
import { freshNumber } from './numbers.js';
import { Operator, type Workspace } from './operator.js';
import { type RunningSystem, startSystem } from './system.js';
import { waitUntil } from './wait-until.js';

export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
export const unknownId = '01890000-0000-7000-8000-000000000000';

/** A message on a handset, as the simulator reports it. */
export interface HandsetMessage {
  provider: string;
  to: string;
  from: string;
  body: string;
  encoding: string;
  segments: number;
  reference: string;
  received_at: string;
}

export interface Scenario {
  provider?: string;
  to?: string;
  submit?: Record<string, unknown>;
  receipts?: Record<string, unknown>[];
  times?: number;
}

export interface ReadOtp {
  readonly id: string;
  readonly number: string;
  readonly code: string;
  readonly expiresAt: string;
}

export interface ShortLivedOtp {
  readonly id: string;
  readonly number: string;
  readonly code: string;
  readonly expiresAtMs: number;
}

/** A customer: one workspace with a customer's calls. Calls use the live key by default. */
export class Customer {
  constructor(
    readonly suite: Suite,
    readonly workspace: Workspace,
  ) {}

  get id(): string {
    return this.workspace.id;
  }

  get liveKey(): string {
    return this.workspace.liveKey;
  }

  get testKey(): string {
    return this.workspace.testKey;
  }

  post(path: string, body: unknown, send: Send = {}): Promise<Answer> {
    return this.suite.http.post(path, body, { key: this.liveKey, ...send });
  }

  get(path: string, send: Send = {}): Promise<Answer> {
    return this.suite.http.get(path, { key: this.liveKey, ...send });
  }

  sendOtp(body: Record<string, unknown> = {}, send: Send = {}): Promise<Answer> {
    return this.post('/v1/otp/send', { phone_number: freshNumber(), ...body }, send);
  }

  sendSms(body: Record<string, unknown> = {}, send: Send = {}): Promise<Answer> {
    const defaults = { phone_number: freshNumber(), message: 'Your order has shipped.' };
    return this.post('/v1/sms/send', { ...defaults, ...body }, send);
  }

  verify(otpId: string, code: string, send: Send = {}): Promise<Answer> {
    return this.post('/v1/otp/verify', { otp_id: otpId, code }, send);
  }

  getOtp(id: string, send: Send = {}): Promise<Answer> {
    return this.get(`/v1/otp/${id}`, send);
  }

  getSms(id: string, send: Send = {}): Promise<Answer> {
    return this.get(`/v1/sms/${id}`, send);
  }

  /** The record, once it has this status. */
  otpWith(status: string, id: string, { key = this.liveKey } = {}) {
    return this.recordWith(`/v1/otp/${id}`, status, key);
  }

  smsWith(status: string, id: string, { key = this.liveKey } = {}) {
    return this.recordWith(`/v1/sms/${id}`, status, key);
  }

  private async recordWith(
    path: string,
    status: string,
    key: string,
    // oxlint-disable-next-line no-explicit-any -- tests look into records of every shape
  ): Promise<any> {
    let last = '';
    const probe = async () => {
      const answer = await this.get(path, { key });
      last = answer.text;
      return answer.status === 200 && answer.json.status === status ? answer.json : undefined;
    };
    return waitUntil(`${path} to be ${status}`, probe).catch((error: Error) => {
      throw new Error(`${error.message}; it is ${last}`);
    });
  }

  /** An OTP that was sent with the live key, and its code as the handset shows it. */
  async readOtp(body: Record<string, unknown> = {}): Promise<ReadOtp> {
    const number = freshNumber();
    const { status, json, text } = await this.sendOtp({ phone_number: number, ...body });
    if (status !== 200) throw new Error(`no one-time password: ${status} ${text}`);
    const code = await this.suite.codeAt(json.phone_number as string);
    return { id: json.id, number: json.phone_number, code, expiresAt: json.expires_at };
  }

  /** An OTP that a carrier took and that soon expires. On a slow machine it lives longer. */
  async shortLivedOtp(): Promise<ShortLivedOtp> {
    for (const ttl_seconds of [1, 4, 12, 60]) {
      const number = freshNumber();
      const { json } = await this.sendOtp({ phone_number: number, ttl_seconds });
      const record = await waitUntil(`${json.id} to be sent or to fail`, async () => {
        const { json: now } = await this.getOtp(json.id);
        return now.sent_at !== null || now.failed_at !== null ? now : undefined;
      });
      if (record.sent_at === null) continue;
      const code = await this.suite.codeAt(number);
      return { id: json.id, number, code, expiresAtMs: Date.parse(json.expires_at) };
    }
    throw new Error('no carrier took a one-time password before it expired');
  }

  async expiredOtp(): Promise<ShortLivedOtp> {
    const otp = await this.shortLivedOtp();
    await this.otpWith('expired', otp.id);
    return otp;
  }

  /**
   * Waits until the event of the opening credits is published, so that a later webhook does not get
   * it.
   */
  async firstCreditsTold(): Promise<void> {
    await waitUntil('the event of the first credits', async () => {
      const { status, json } = await this.get('/v1/events');
      return status === 200 && json.data.length > 0;
    });
  }

  balance(): Promise<number> {
    return this.suite.operator.balance(this.workspace);
  }

  ledger(): Promise<Record<string, unknown>[]> {
    return this.suite.operator.ledger(this.workspace);
  }

  settings(settings: Record<string, unknown>): Promise<Answer> {
    return this.suite.operator.request('PATCH', `/workspaces/${this.id}`, { settings });
  }

  async newKey(mode: 'live' | 'test' = 'live', permission = 'full') {
    const path = `/workspaces/${this.id}/keys`;
    const answer = await onceNotBusy(() =>
      this.suite.operator.request('POST', path, { mode, permission }),
    );
    if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${answer.text}`);
    return { key: answer.json.key as string, keyId: answer.json.key_id as string };
  }
}

/** A running system with what every spec needs of it. */
export class Suite {
  system!: RunningSystem;
  operator!: Operator;

  get http() {
    return this.system.http;
  }

  async open(start: () => Promise<RunningSystem>): Promise<void> {
    this.system = await start();
    this.operator = new Operator(this.system);
    // All tests come from one address. Limits by address are tested on a separate system.
    const limits = { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null };
    const answer = await onceNotBusy(() => this.operator.request('PATCH', '/settings', { limits }));
    if (answer.status !== 200) throw new Error(`settings: ${answer.status} ${answer.text}`);
  }

  /** No limit by key or workspace unless asked for: tests poll. */
  async customer({ settings = {}, ...options }: Record<string, unknown> = {}): Promise<Customer> {
    const { limits, ...others } = settings as { limits?: Record<string, unknown> };
    const unlimited = {
      key_per_minute: null,
      workspace_per_minute: null,
      variant_b_per_second: null,
    };
    const workspace = await this.operator.createWorkspace({
      ...options,
      settings: { ...others, limits: { ...unlimited, ...limits } },
    });
    return new Customer(this, workspace);
  }

  async handset(to: string): Promise<HandsetMessage[]> {
    const path = `/_simulator/messages?to=${encodeURIComponent(to)}`;
    return (await this.system.simulator.get(path)).json as HandsetMessage[];
  }

  /** The messages at this number, once there are that many. */
  handsetWith(count: number, to: string): Promise<HandsetMessage[]> {
    return waitUntil(`${count} messages at ${to}`, async () => {
      const messages = await this.handset(to);
      return messages.length >= count ? messages : undefined;
    });
  }

  /** The code in the last one-time password that reached this number. */
  async codeAt(to: string): Promise<string> {
    const messages = await this.handsetWith(1, to);
    const [code] = /\b\d{4,8}\b/.exec(messages.at(-1)!.body) ?? [];
    if (code === undefined) throw new Error(`no code in: ${messages.at(-1)!.body}`);
    return code;
  }

  async scenario(scenario: Scenario): Promise<void> {
    const answer = await this.system.simulator.post('/_simulator/scenarios', scenario);
    if (answer.status !== 201) throw new Error(`scenario: ${answer.status} ${answer.text}`);
  }
}

/** The system that all specs share, or the one that `start` starts. */
export function useSystem(start: () => Promise<RunningSystem> = startSystem): Suite {
  const suite = new Suite();
  beforeAll(() => suite.open(start));
  afterAll(() => suite.system?.close());
  return suite;
}

/** A code that is certainly wrong. */
export function wrongCodeFor(code: string): string {
  return [...code].map((digit) => String((Number(digit) + 1) % 10)).join('');
}

/** [7] and decisions 10: the one envelope of every error. */
export function expectError(answer: Answer, status: number, type: string, field?: string): void {
  expect({ status: answer.status, body: answer.json ?? answer.text }).toMatchObject({
    status,
    body: { error: { type, ...(field === undefined ? {} : { field }) } },
  });
  const { error } = answer.json;
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(typeof error.message).toBe('string');
  expect(error.message).not.toBe('');
  expect(error.request_id).toBe(answer.headers['x-request-id']);
  const allowed = ['type', 'message', 'field', 'request_id', 'doc_url', 'retry_after_seconds'];
  expect(allowed).toEqual(expect.arrayContaining(Object.keys(error)));
  expect(error.doc_url).toMatch(new RegExp(`/docs/errors#${type}$`));
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
}

/** [8] rule 1 and decisions 10. */
export function expectRefusedByLimit(answer: Answer, atMostSeconds: number): void {
  expectError(answer, 429, 'rate_limited');
  const seconds = Number(answer.headers['retry-after']);
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(atMostSeconds);
  expect(answer.json.error.retry_after_seconds).toBe(seconds);
}

/** Settings of a workspace: one number may get and verify any number of one-time passwords. */
export const UNLIMITED_OTPS = {
  limits: {
    otp_sends_per_number_per_10_minutes: null,
    otp_verifications_per_number_per_10_minutes: null,
  },
};
