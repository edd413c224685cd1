import { expect, it } from '@jest/globals';
import {
  newId,
  type Page,
  routes,
  type SendMessage,
  type SmsDetails,
  type WorkspaceId,
} from '@watchword/contracts';
import { otpCommand, smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

/** To its caller, a message of another workspace or another mode does not exist. */
useKit({ simulated: true });

interface Foreigner {
  readonly workspace_id: WorkspaceId;
  readonly test_mode: boolean | null;
}

async function delivered(kind: 'otp' | 'sms'): Promise<SendMessage> {
  const change = { test_mode: true, destination: '+2340000000000' };
  const command = kind === 'otp' ? otpCommand(change, { resend_max: 3 }) : smsCommand(change);
  await kit.send(command);
  await kit.until(command.message_id, 'delivered');
  return command;
}

function foreigners({ workspace_id }: SendMessage): [string, Foreigner][] {
  return [
    ['the other mode', { workspace_id, test_mode: false }],
    ['another workspace', { workspace_id: newId(), test_mode: true }],
    ['the console of another workspace', { workspace_id: newId(), test_mode: null }],
  ];
}

it('a caller of another workspace or mode finds no message, and changes none', async () => {
  const otp = await delivered('otp');
  const otp_id = otp.message_id;
  const before = await kit.stored(otp_id);
  for (const [, scope] of foreigners(otp)) {
    const claim = { scope: 's', key: newId(), fingerprint: 'f' };
    const asked = { ...scope, otp_id };
    const wanted = { ...scope, message_id: otp_id, kind: 'otp' as const };
    for (const idempotency of [null, claim]) {
      const guess = { ...asked, code: '123456', idempotency };
      expect(await kit.calls.verifyOtp(guess)).toEqual({ outcome: 'not_found' });
      const cancelled = await kit.calls.cancelMessage({ ...wanted, idempotency });
      expect(cancelled).toEqual({ outcome: 'not_found' });
    }
    const resend_id = newId();
    const reserved = await kit.calls.reserveResend({ ...asked, resend_id });
    expect(reserved).toEqual({ outcome: 'not_found' });
    expect((await kit.calls.getOtpDestination(asked)).destination).toBeNull();
    expect((await kit.calls.getMessage(wanted)).message).toBeNull();
  }
  expect(await kit.stored(otp_id)).toEqual(before);
});

it('a caller of another workspace or mode releases no resend', async () => {
  const otp = await delivered('otp');
  const { workspace_id, message_id: otp_id } = otp;
  const resend = { otp_id, resend_id: newId() };
  await kit.calls.reserveResend({ workspace_id, test_mode: true, ...resend });
  const before = await kit.stored(otp_id);
  for (const [, scope] of foreigners(otp)) {
    await kit.calls.releaseResend({ ...scope, ...resend });
  }
  expect(await kit.stored(otp_id)).toEqual(before);
});

it('a caller of another workspace or mode sees no message in a list with any filter', async () => {
  const sms = await delivered('sms');
  const { workspace_id } = sms;
  const list = async (test_mode: boolean | null, only_test_mode?: boolean) => {
    const query = { test_mode: only_test_mode, limit: 10 };
    const asked = { workspace_id, test_mode, query };
    const { body } = await kit.serve<Page<SmsDetails>>(routes.listMessages, asked);
    return body?.data.map(({ id }) => id);
  };
  expect(await list(true)).toEqual([sms.message_id]);
  expect(await list(null)).toEqual([sms.message_id]);
  expect(await list(null, true)).toEqual([sms.message_id]);
  expect(await list(true, false)).toEqual([]);
  expect(await list(false)).toEqual([]);
  expect(await list(false, true)).toEqual([]);
});

it('a guess of another workspace does not affect the guess of the owner in the same batch', async () => {
  const otp = await delivered('otp');
  const { workspace_id, message_id: otp_id } = otp;
  const guess = { otp_id, code: '123456', idempotency: null };
  const callers = [...foreigners(otp).map(([, scope]) => scope), { workspace_id, test_mode: true }];
  const results = await Promise.all(
    callers.map((scope) => kit.calls.verifyOtp({ ...scope, ...guess })),
  );
  expect(results.slice(0, -1)).toEqual(foreigners(otp).map(() => ({ outcome: 'not_found' })));
  expect(results.at(-1)).toMatchObject({ valid: true, attempts_used: 1 });
});

it('a statement that writes leaves messages of another workspace or mode unchanged', async () => {
  const { message_id, workspace_id } = await delivered('otp');
  const before = await kit.stored(message_id);
  const change = {
    id: message_id,
    version: before['version'],
    state: 'failed',
    updatedAt: new Date(),
  };
  const write = async (within: object) => {
    const { rows } = await kit.database.pool.query(
      'SELECT dispatch.change_messages($1, $2, NULL, NULL, NULL, NULL) AS id',
      [JSON.stringify([{ ...change, ...within }]), [message_id]],
    );
    return rows.length;
  };
  expect(await write({ withinWorkspaceId: newId() })).toBe(0);
  expect(await write({ withinWorkspaceId: workspace_id, withinTestMode: false })).toBe(0);
  const judge = async (of: string, isTest: boolean) => {
    const { rows } = await kit.database.pool.query<{ written: string[] | null }>(
      `SELECT dispatch.write_verdicts(ARRAY[$1]::uuid[], ARRAY[$2]::integer[], ARRAY[$3]::uuid[],
         ARRAY[$4]::boolean[], ARRAY[1], ARRAY[now()], now(), 'none', 'none', ARRAY['none'], '{}',
         NULL, NULL, NULL, NULL) AS written`,
      [message_id, before['version'], of, isTest],
    );
    return rows[0]?.written;
  };
  expect(await judge(newId(), true)).toEqual([]);
  expect(await judge(workspace_id, false)).toEqual([]);
  expect(await kit.stored(message_id)).toEqual(before);
});
