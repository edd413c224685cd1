import { expect, it } from '@jest/globals';
import { newId, type Overview, routes, type SendMessage } from '@watchword/contracts';
import { eventually, FakeClock } from '@watchword/testing';
import { UsageJob } from '../src/usage/usage.job.js';
import { UsageStore } from '../src/usage/usage.store.js';
import { deliveryReport, otpCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const HOUR_MS = 3_600_000;
/** The code expires within its hour. */
const START = '2026-11-20T08:00:00.000Z';
const clock = new FakeClock(START);
useKit({ clock });

async function credits({ workspace_id }: SendMessage): Promise<object> {
  const query = { from: START, to: '2026-11-20T12:00:00.000Z' };
  const { body } = await kit.serve<Overview>(routes.getOverview, { workspace_id, query });
  const { charged_credits, refunded_credits } = body!.total;
  return { charged_credits, refunded_credits };
}

const rollUp = () => new UsageJob(new UsageStore(kit.database.pool), clock).run();

/** Returns the attempt, once a carrier has taken it. */
async function taken(otpId: string, resend: number) {
  return eventually(async () => {
    const { rows } = await kit.database.pool.query<{ provider: string; id: string }>(
      `SELECT provider, provider_message_id AS id FROM attempts
       WHERE message_id = $1 AND resend = $2 AND outcome = 'accepted'`,
      [otpId, resend],
    );
    expect(rows).toHaveLength(1);
    return rows[0]!;
  });
}

it('credits contain the refund of a resend whose failure is reported after the end of the hour', async () => {
  const command = otpCommand({ created_at: START, credits: 5 }, { resend_max: 1 });
  const { workspace_id, test_mode, message_id: otp_id } = command;
  await kit.send(command);
  await taken(otp_id, 0);
  const resend_id = newId();
  const reserved = await kit.calls.reserveResend({ workspace_id, test_mode, otp_id, resend_id });
  expect(reserved).toMatchObject({ outcome: 'reserved' });
  const resend = { otp_id, code_length: 6, expires_at: command.otp!.expires_at, remaining: 0 };
  await kit.send({ ...command, message_id: resend_id, credits: 7, otp: null, resend });
  const { provider, id: provider_message_id } = await taken(otp_id, 1);
  clock.advance(HOUR_MS / 4);
  const guess = { workspace_id, test_mode, otp_id, code: '000000', idempotency: null };
  expect(await kit.calls.verifyOtp(guess)).toEqual({ outcome: 'otp_expired' });
  clock.advance(2 * HOUR_MS);
  await rollUp();
  expect(await credits(command)).toEqual({ charged_credits: 12, refunded_credits: 0 });

  const failed = { state: 'failed', reason: 'absent_subscriber' } as const;
  await kit.report(deliveryReport({ provider, provider_message_id, ...failed }));
  const refunds = (await kit.refundCommands()).map(({ message_id }) => message_id);
  expect(refunds).toEqual([resend_id]);
  const refunded = { charged_credits: 12, refunded_credits: 7 };
  expect(await credits(command)).toEqual(refunded);
  await rollUp();
  expect(await credits(command)).toEqual(refunded);
});
