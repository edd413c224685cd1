import { describe, expect, it } from '@jest/globals';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit({ simulated: true });

const number = (digits: string) => `+120255501${digits}`;
const us = { test_mode: true, country_code: 'US', network: null } as const;

async function outcome(digits: string, kind: 'otp' | 'sms', state: string) {
  const make = kind === 'otp' ? otpCommand : smsCommand;
  const command = make({ ...us, destination: number(digits) });
  await kit.send(command);
  await kit.until(command.message_id, state);
  const stored = await kit.stored(command.message_id);
  return { command, stored, reason: stored['reason'], refunded: stored['refunded'] };
}

describe('test mode', () => {
  it.each([
    ['00', 'delivered', [1]],
    ['03', 'sent', [1]],
    ['05', 'delivered', [1]],
    ['06', 'delivered', [1]],
    ['51', 'delivered', [1, 2]],
    ['52', 'delivered', [1]],
    ['53', 'delivered', [1, 1, 1]],
    ['56', 'delivered', [1, 1, 2, 2, 3]],
  ])('NN %s ends as %s, and shows its failover', async (digits, state, simulators) => {
    const { command } = await outcome(digits, 'sms', state);
    const { message } = await kit.calls.getMessage({
      workspace_id: command.workspace_id,
      test_mode: command.test_mode,
      message_id: command.message_id,
      kind: 'sms',
    });
    expect(message?.provider_attempts.map(({ provider }) => provider)).toEqual(
      simulators.map((number) => `simulator_${number}`),
    );
  });

  it.each([
    ['10', 'unknown_subscriber'],
    ['15', 'sender_id_rejected'],
    ['20', 'opted_out'],
    ['27', 'provider_rejected'],
    ['28', 'provider_unavailable'],
    ['29', 'provider_timeout'],
    ['39', 'throttled'],
    ['57', 'all_providers_failed'],
  ])('NN %s fails with %s, refunded as live would', async (digits, reason) => {
    const found = await outcome(digits, 'sms', 'failed');
    expect([found.reason, found.refunded]).toEqual([reason, true]);
  });

  it('has a code that is known, and one that is expired from birth', async () => {
    const known = await outcome('00', 'otp', 'delivered');
    const { workspace_id, message_id: otp_id } = known.command;
    const guess = { workspace_id, test_mode: true, otp_id, code: '123456', idempotency: null };
    expect(await kit.calls.verifyOtp(guess)).toMatchObject({ valid: true });
    const born = await outcome('61', 'otp', 'expired');
    expect(born.stored['delivered_at']).not.toBeNull();
    expect(born.refunded).toBeNull();
    const budget = await outcome('62', 'otp', 'delivered');
    expect(budget.stored['max_attempts']).toBe(1);
  });

  it('asks billing for no refund', async () => {
    expect(await kit.refundCommands()).toEqual([]);
  });
});
