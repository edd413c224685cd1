import { beforeEach, expect, it } from '@jest/globals';
import { newId, type SendMessage, type VerifyResult, type WorkspaceId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { otpCommand } from './commands.kit.js';
import { codeIn, wrongCode } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const DAY_SECONDS = 86_400;
const clock = new FakeClock('2026-11-20T08:00:00.000Z');
let workspace: WorkspaceId;

useKit({ clock });
beforeEach(() => {
  workspace = newId();
});

interface Sent {
  readonly command: SendMessage;
  readonly code: string;
}

async function sent(values: Partial<SendMessage> = {}): Promise<Sent> {
  const created_at = new Date(clock.now()).toISOString();
  const own = { created_at, network: newId(), workspace_id: workspace, ...values };
  const command = otpCommand(own, {
    max_attempts: 1_000,
    expires_at: new Date(clock.now() + 600_000).toISOString(),
  });
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  const request = kit.africasTalking.submits.find((one) => one.messageId === command.message_id);
  return { command, code: codeIn(request) };
}

function verify({ command }: Sent, code: string, calls = kit.calls): Promise<VerifyResult> {
  const { workspace_id, test_mode, message_id: otp_id } = command;
  return calls.verifyOtp({ workspace_id, test_mode, otp_id, code, idempotency: null });
}

const wrong = (one: Sent) => verify(one, wrongCode(one.code));
const capped = (retry_after_seconds: number) => ({
  outcome: 'guessing_capped',
  retry_after_seconds,
});

async function wrongTimes(times: number, otps: readonly Sent[]): Promise<VerifyResult[]> {
  const results: VerifyResult[] = [];
  for (let index = 0; index < times; index += 1) {
    results.push(await wrong(otps[index % otps.length] as Sent));
  }
  return results;
}

it('decisions 6: the 100th wrong code in a row on a number is judged, then the number is barred over all its codes', async () => {
  const otps = [await sent(), await sent()];
  const results = await wrongTimes(100, otps);
  expect(results.every((result) => result.outcome === 'checked')).toBe(true);
  for (const otp of otps) expect(await verify(otp, otp.code)).toEqual(capped(DAY_SECONDS));
  expect(await wrong(otps[0] as Sent)).toEqual(capped(DAY_SECONDS));
  const stored = await kit.stored((otps[0] as Sent).command.message_id);
  expect(stored['attempt_count']).toBe(50);
  clock.advance(1_500);
  const later = await sent();
  expect(await verify(later, later.code)).toEqual(capped(DAY_SECONDS - 1));
});

it('decisions 6: a barred number is admitted again 24 hours after its last wrong code, and its count starts anew', async () => {
  await wrongTimes(100, [await sent()]);
  clock.advance(DAY_SECONDS * 1_000 - 1);
  const again = await sent();
  expect(await wrong(again)).toEqual(capped(1));
  clock.advance(1);
  const results = await wrongTimes(100, [again]);
  expect(results.every((result) => result.outcome === 'checked')).toBe(true);
  expect(await wrong(again)).toEqual(capped(DAY_SECONDS));
});

it('decisions 6: wrong codes are counted for each number and workspace separately', async () => {
  const one = await sent();
  await wrongTimes(100, [one]);
  const otherNumber = await sent({ destination: '+2348031230099' });
  expect(await verify(otherNumber, otherNumber.code)).toMatchObject({ valid: true });
  const otherWorkspace = await sent({ workspace_id: newId() });
  expect(await verify(otherWorkspace, otherWorkspace.code)).toMatchObject({ valid: true });
});

it('decisions 6: the guessing cap is exact under 500 parallel guesses at six codes in two processes', async () => {
  const otps = await Promise.all(Array.from({ length: 6 }, () => sent()));
  const first = kit.calls;
  await kit.start();
  const second = kit.calls;
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, index) => {
      const otp = otps[index % otps.length] as Sent;
      return verify(otp, wrongCode(otp.code), index % 4 < 2 ? first : second);
    }),
  );
  const outcomes = results.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'checked')).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome === 'guessing_capped')).toHaveLength(400);
  const { rows } = await kit.database.pool.query<{ sum: number }>(
    'SELECT sum(attempt_count)::int AS sum FROM messages WHERE workspace_id = $1',
    [workspace],
  );
  expect(rows[0]?.sum).toBe(100);
});
