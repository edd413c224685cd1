import { describe, expect, it } from '@jest/globals';
import { asId, type MessageId, REASONS } from '@watchword/contracts';
import type { Reason } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { SAMPLE } from '../provider-contract.kit.js';
import type { CarrierReport, SubmitOutcome } from '../provider.port.js';
import { scriptFor } from './script.policy.js';
import { SimulatorAdapter } from './simulator.adapter.js';
import { simulator } from './simulator.carrier.js';
import type { Position } from './script.policy.js';
import { testAttemptBudget, testExpiresAtOnce, testOtpCode } from './test-otp.js';

/** A clock that moves only when asked, and runs what is due meanwhile. */
class World {
  nowMs = Date.parse('2026-11-20T08:00:00Z');
  readonly reports: Array<[atMs: number, provider: string, report: CarrierReport]> = [];
  private due: Array<{ atMs: number; action: () => void }> = [];
  private readonly startMs = this.nowMs;

  readonly settings = {
    clock: { now: () => this.nowMs },
    schedule: (delayMs: number, action: () => void) => {
      const entry = { atMs: this.nowMs + delayMs, action };
      this.due.push(entry);
      return () => {
        this.due = this.due.filter((candidate) => candidate !== entry);
      };
    },
    capacity: simulator.capacity,
  };

  /** Returns a started simulator. Its reports are kept here. */
  started(position: Position): SimulatorAdapter {
    const adapter = new SimulatorAdapter(position, this.settings);
    void adapter.start(async (reports) => {
      for (const report of reports) {
        this.reports.push([this.nowMs - this.startMs, adapter.name, report]);
      }
    });
    return adapter;
  }

  get waiting(): number {
    return this.due.length;
  }

  pass(durationMs: number): void {
    const untilMs = this.nowMs + durationMs;
    for (;;) {
      const [next] = this.due
        .filter(({ atMs }) => atMs <= untilMs)
        .toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.due = this.due.filter((candidate) => candidate !== next);
      this.nowMs = next.atMs;
      next.action();
    }
    this.nowMs = untilMs;
  }
}

const numberOf = (digits: number) => `+120255501${String(digits).padStart(2, '0')}`;

interface Played {
  outcome: SubmitOutcome;
  answeredAtMs: number;
  receipts: string[];
}

/** Submits once, lets two minutes pass, and returns what happened when. */
async function play(destination: string, position: Position = 1): Promise<Played> {
  const world = new World();
  const startMs = world.nowMs;
  const adapter = world.started(position);
  let answeredAtMs = -1;
  const submitted = adapter.submit({ ...SAMPLE, destination }).then((outcome) => {
    answeredAtMs = world.nowMs - startMs;
    return outcome;
  });
  await Promise.resolve();
  await Promise.resolve();
  for (let step = 0; step < 1_200; step += 1) {
    world.pass(100);
    await Promise.resolve();
    await Promise.resolve();
  }
  const receipts = world.reports.map(([atMs, provider, { state, reason }]) => {
    expect(provider).toBe(`simulator_${position}`);
    return `${atMs} ${state}${reason === null ? '' : ` ${reason}`}`;
  });
  expect(world.waiting).toBe(0);
  return { outcome: await submitted, answeredAtMs, receipts };
}

const ACCEPTED_AT_ONCE: Array<[digits: number, ...receipts: string[]]> = [
  [0, '0 delivered'],
  [1, '5000 delivered'],
  [2, '60000 delivered'],
  [3],
  [4, '0 enroute', '3000 delivered'],
  [5, '0 delivered', '0 delivered'],
  [7, '0 delivered', '1000 failed network_error'],
  [8, '0 failed network_error', '1000 delivered'],
  [9, '0 delivered'],
  [10, '0 failed unknown_subscriber'],
  [11, '0 failed absent_subscriber'],
  [12, '0 failed handset_error'],
  [13, '0 failed subscriber_barred'],
  [14, '0 failed content_rejected'],
  [17, '0 failed network_error'],
  [18, '0 failed carrier_rejected'],
  [19, '0 failed expired'],
  [21, '0 failed dnd_active'],
  [23, '0 failed unknown_error'],
  [24, '0 failed fraud_blocked'],
  [30, '0 failed dnd_active'],
  ...[40, 41, 42, 49, 60, 61, 62, 63, 89, 90, 95, 99].map((digits): [number, string] => [
    digits,
    '0 delivered',
  ]),
];

const REFUSED_BY_ALL: Array<[digits: number, ...reasons: [Reason, Reason, Reason]]> = [
  [15, 'sender_id_rejected', 'sender_id_rejected', 'sender_id_rejected'],
  [16, 'no_route', 'no_route', 'no_route'],
  [20, 'opted_out', 'opted_out', 'opted_out'],
  [22, 'unsupported_number', 'unsupported_number', 'unsupported_number'],
  [25, 'invalid_number', 'invalid_number', 'invalid_number'],
  [26, 'message_invalid', 'message_invalid', 'message_invalid'],
  [27, 'provider_rejected', 'provider_rejected', 'provider_rejected'],
  [28, 'provider_unavailable', 'provider_unavailable', 'provider_unavailable'],
  [31, 'sender_id_rejected', 'sender_id_rejected', 'sender_id_rejected'],
  [38, 'no_route', 'carrier_rejected', 'network_error'],
  [39, 'throttled', 'throttled', 'throttled'],
  [57, 'no_route', 'carrier_rejected', 'network_error'],
];

describe('the simulator', () => {
  it.each(ACCEPTED_AT_ONCE)('takes %d at once', async (digits, ...receipts) => {
    for (const position of [1, 2, 3] as const) {
      const played = await play(numberOf(digits), position);
      expect(played).toEqual({
        outcome: {
          outcome: 'accepted',
          providerMessageId: `simulator_${position}_${SAMPLE.messageId}`,
        },
        answeredAtMs: 0,
        receipts,
      });
    }
  });

  it.each(REFUSED_BY_ALL)('refuses %d', async (digits, ...reasons) => {
    for (const position of [1, 2, 3] as const) {
      const { outcome, receipts } = await play(numberOf(digits), position);
      const reason = reasons[position - 1];
      expect(outcome).toMatchObject({ outcome: 'refused', reason, rawCode: reason });
      expect(receipts).toEqual([]);
    }
  });

  it.each([
    [50, 'provider_unavailable', null],
    [54, 'sender_id_rejected', null],
    [55, 'provider_rejected', null],
    [56, 'provider_unavailable', 'provider_unavailable'],
  ] as const)('lets %d fail over', async (digits, first, second) => {
    const outcomes = await Promise.all(
      ([1, 2, 3] as const).map((position) => play(numberOf(digits), position)),
    );
    expect(outcomes[0]?.outcome).toMatchObject({ outcome: 'refused', reason: first });
    if (second === null) expect(outcomes[1]?.outcome.outcome).toBe('accepted');
    else expect(outcomes[1]?.outcome).toMatchObject({ outcome: 'refused', reason: second });
    expect(outcomes[2]).toMatchObject({
      outcome: { outcome: 'accepted' },
      receipts: ['0 delivered'],
    });
  });

  it('delivers any other number after one second', async () => {
    await expect(play('+2348031234567')).resolves.toMatchObject({
      outcome: { outcome: 'accepted' },
      receipts: ['1000 delivered'],
    });
  });

  it('lets the receipt of 06 overtake the answer', async () => {
    await expect(play(numberOf(6))).resolves.toMatchObject({
      outcome: { outcome: 'accepted' },
      answeredAtMs: 300,
      receipts: ['0 delivered'],
    });
  });

  it.each([
    [29, 1, []],
    [29, 3, []],
    [51, 1, []],
    [52, 1, ['1500 delivered']],
    [59, 1, ['8000 delivered']],
  ] as const)('does not answer %d by provider %d in time', async (digits, position, receipts) => {
    await expect(play(numberOf(digits), position)).resolves.toEqual({
      outcome: { outcome: 'ambiguous', rawCode: 'TIMEOUT', rawMessage: expect.any(String) },
      answeredAtMs: 1_000,
      receipts,
    });
  });

  it.each([51, 52, 53, 58, 59])('lets provider 2 deliver %d', async (digits) => {
    await expect(play(numberOf(digits), 2)).resolves.toMatchObject({
      outcome: { outcome: 'accepted' },
      receipts: ['0 delivered'],
    });
  });

  it('reports 58 as absent by provider 1', async () => {
    const { receipts } = await play(numberOf(58));
    expect(receipts).toEqual(['0 failed absent_subscriber']);
  });

  it('throttles each message to 53 twice, and throttles 39 for longer than anyone waits', async () => {
    const world = new World();
    const adapter = world.started(1);
    const submit = (messageId: string, digits = 53) =>
      adapter.submit({ ...SAMPLE, messageId: asId(messageId), destination: numberOf(digits) });
    const throttled = { outcome: 'refused', reason: 'throttled', retryAfterMs: 1_000 };
    await expect(submit('a')).resolves.toMatchObject(throttled);
    await expect(submit('b')).resolves.toMatchObject(throttled);
    await expect(submit('a')).resolves.toMatchObject(throttled);
    await expect(submit('a')).resolves.toMatchObject({ outcome: 'accepted' });
    await expect(submit('b')).resolves.toMatchObject(throttled);
    await expect(submit('b')).resolves.toMatchObject({ outcome: 'accepted' });
    await expect(submit('c', 39)).resolves.toMatchObject({ retryAfterMs: 60_000 });
  });

  it('speaks of every unmapped code by the raw one', () => {
    expect(scriptFor(numberOf(23), 1).receipts).toMatchObject([{ rawCode: '9999' }]);
  });

  it('has every reason that a carrier can give', () => {
    const given = new Set<Reason | null>();
    for (let digits = 0; digits < 100; digits += 1) {
      const { answer, receipts } = scriptFor(numberOf(digits), 1);
      if (answer.kind === 'refuse') given.add(answer.reason);
      for (const { reason } of receipts) given.add(reason);
    }
    const ours: Reason[] = [
      'provider_timeout',
      'antispam_blocked',
      'all_providers_failed',
      'max_attempts_exceeded',
    ];
    expect(REASONS.filter((reason) => !given.has(reason))).toEqual(ours);
  });

  it('resumes after a restart: the same receipts, overdue ones at once', async () => {
    const before = new World();
    const first = before.started(1);
    const message = { messageId: SAMPLE.messageId, destination: numberOf(4) };
    const submittedAt = before.nowMs;
    await first.submit({ ...SAMPLE, ...message });
    await first.stop();
    before.pass(120_000);
    expect(before.reports).toEqual([]);

    const after = new World();
    after.nowMs = submittedAt + 2_000;
    const second = after.started(1);
    second.resume({ ...message, submittedAt });
    after.pass(5_000);
    const id = `simulator_1_${SAMPLE.messageId}`;
    expect(after.reports).toEqual([
      [2_000, 'simulator_1', expect.objectContaining({ state: 'enroute', providerMessageId: id })],
      [
        3_000,
        'simulator_1',
        expect.objectContaining({ state: 'delivered', providerMessageId: id }),
      ],
    ]);
  });

  it('resumes nothing for what it refused', () => {
    const world = new World();
    const adapter = world.started(1);
    const message = {
      messageId: asId<MessageId>('a'),
      destination: numberOf(25),
      submittedAt: world.nowMs,
    };
    adapter.resume(message);
    expect(world.waiting).toBe(0);
  });

  it('answers what it still owes an answer when it is closed', async () => {
    const world = new World();
    const adapter = world.started(1);
    const hanging = adapter.submit({ ...SAMPLE, destination: numberOf(29) });
    await adapter.stop();
    await expect(hanging).resolves.toMatchObject({ outcome: 'ambiguous' });
    expect(world.waiting).toBe(0);
  });

  it('keeps real time by default', async () => {
    const reports: CarrierReport[] = [];
    const adapter = new SimulatorAdapter(2, { capacity: simulator.capacity });
    await adapter.start(async (some) => void reports.push(...some));
    await adapter.submit({ ...SAMPLE, destination: numberOf(0) });
    const { messageId } = SAMPLE;
    await eventually(() => expect(reports).toMatchObject([{ messageId, state: 'delivered' }]));
    await adapter.stop();
  });
});

describe('test-mode OTPs', () => {
  it.each([4, 6, 8])('have the usual code of %d digits', (length) => {
    expect(testOtpCode('+2348031234567', length)).toBe('12345678'.slice(0, length));
    expect(testOtpCode(numberOf(0), length)).toBe('12345678'.slice(0, length));
  });

  it('have another code for 60', () => {
    for (let turn = 0; turn < 2_000; turn += 1) {
      const code = testOtpCode(numberOf(60), 4);
      expect(code).toMatch(/^\d{4}$/);
      expect(code).not.toBe('1234');
    }
  });

  it('know their attempts and their expiry', () => {
    expect([61, 62, 0].map((digits) => testAttemptBudget(numberOf(digits)))).toEqual([
      null,
      1,
      null,
    ]);
    expect([61, 62, 0].map((digits) => testExpiresAtOnce(numberOf(digits)))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
