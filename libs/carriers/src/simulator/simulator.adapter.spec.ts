import { describe, expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import { SAMPLE } from '../provider-contract.kit.js';
import type { CarrierReport, SubmitOutcome } from '../provider.port.js';
import { scriptFor } from './script.policy.js';
import { SimulatorAdapter } from './simulator.adapter.js';
import { simulator } from './simulator.carrier.js';
import type { Position } from './script.policy.js';
import { testOtpCode } from './test-otp.js';

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

describe('the simulator', () => {
  it.each([
    ['+2348031234567', 1_000],
    [numberOf(1), 5_000],
    [numberOf(2), 60_000],
  ])('a message to %s is delivered after %i ms', async (number, afterMs) => {
    await expect(play(number)).resolves.toMatchObject({
      outcome: { outcome: 'accepted' },
      receipts: [`${afterMs} delivered`],
    });
  });

  it('a message to 04 is reported as on its way, then delivered after three seconds', async () => {
    expect((await play(numberOf(4))).receipts).toEqual(['0 enroute', '3000 delivered']);
  });

  it('a receipt of 06 comes before the answer', async () => {
    await expect(play(numberOf(6))).resolves.toMatchObject({
      outcome: { outcome: 'accepted' },
      answeredAtMs: 300,
      receipts: ['0 delivered'],
    });
  });

  it('each message to 53 is throttled twice, one to 39 for a minute', async () => {
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

  it('a receipt of 23 has an unmapped code', () => {
    expect(scriptFor(numberOf(23), 1).receipts).toMatchObject([{ rawCode: '9999' }]);
  });

  it('after a restart the same receipts come, overdue ones at once', async () => {
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

  it('a submit that waits for its answer is ambiguous when the simulator stops', async () => {
    const world = new World();
    const adapter = world.started(1);
    const hanging = adapter.submit({ ...SAMPLE, destination: numberOf(29) });
    await adapter.stop();
    await expect(hanging).resolves.toMatchObject({ outcome: 'ambiguous' });
    expect(world.waiting).toBe(0);
  });
});

describe('test-mode OTPs', () => {
  it('a code of 60 is never the usual one', () => {
    for (let turn = 0; turn < 2_000; turn += 1) {
      const code = testOtpCode(numberOf(60), 4);
      expect(code).toMatch(/^\d{4}$/);
      expect(code).not.toBe('1234');
    }
  });
});
