import { expect, it } from '@jest/globals';
import { type MessageId, newId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import type { MessageChanges } from '../messages/message-changes.handler.js';
import { OtpExpiryJob } from './otp-expiry.job.js';
import type { ExpiredOtp, OtpExpiryStore } from './otp-expiry.store.js';

/** Codes that are sent and not yet written as expired. */
class ScriptedCodes {
  codes: ExpiredOtp[] = [];
  readonly starts: number[] = [];
  stored: Date | null = null;

  async expired(after: ExpiredOtp, until: Date, limit: number): Promise<ExpiredOtp[]> {
    this.starts.push(after.expiresAt.getTime());
    return this.codes
      .filter(({ expiresAt }) => expiresAt > after.expiresAt && expiresAt <= until)
      .toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime())
      .slice(0, limit);
  }

  async reached(): Promise<Date | null> {
    return this.stored;
  }

  async reach(moment: Date): Promise<void> {
    this.stored = moment;
  }
}

function open(codes = new ScriptedCodes(), clock = new FakeClock()) {
  const expired: MessageId[] = [];
  const changes = {
    apply: async (requests: readonly { id: MessageId }[]) => {
      for (const { id } of requests) expired.push(id);
      codes.codes = codes.codes.filter(({ id }) => !expired.includes(id));
    },
  };
  const job = new OtpExpiryJob(
    codes as unknown as OtpExpiryStore,
    changes as unknown as MessageChanges,
    clock,
  );
  const look = async () => {
    job.lookAt(new Date(clock.now()));
    await job.run();
  };
  const appears = (expiredMs: number): MessageId => {
    const code = { id: newId(), expiresAt: new Date(clock.now() - expiredMs) };
    codes.codes.push(code);
    return code.id;
  };
  return { codes, clock, expired, look, appears };
}

it('a code whose write took 15 s expires, also after a start', async () => {
  const { codes, clock, expired, look, appears } = open();
  await look();
  clock.advance(60_000);
  await look();
  const late = appears(15_000);
  clock.advance(10_000);
  await look();
  expect(expired).toEqual([late]);

  const second = appears(15_000);
  const next = open(codes, clock);
  await next.look();
  expect(next.expired).toEqual([second]);
});

it('reads late writes every 10 seconds only', async () => {
  const { codes, clock, look } = open();
  await look();
  codes.starts.length = 0;
  const first = clock.now();
  for (let second = 1; second <= 21; second += 1) {
    clock.advance(1_000);
    await look();
  }
  const backMs = codes.starts.map((start, index) => first + (index + 1) * 1_000 - start);
  expect(backMs.filter((ms) => ms > 3_000)).toEqual([30_000, 30_000]);
});
