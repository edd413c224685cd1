import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DispatchCalls, type MessageId, newId, type WorkspaceId } from '@watchword/contracts';
import { otpCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';

/** A foreign id runs the same statements as an unknown one, so that their times are alike. */
let kit: Kit;
/** The statements of the current call. Those of jobs have no store. */
const executed = new AsyncLocalStorage<string[]>();

beforeAll(async () => {
  kit = await startKit();
  const { pool } = kit.database;
  const query = pool.query.bind(pool) as (...parameters: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    query: (text: string | { text: string }, parameters: unknown[] = []) => {
      const shapes = parameters.map((one) => (Array.isArray(one) ? one.length : typeof one));
      executed
        .getStore()
        ?.push(JSON.stringify([typeof text === 'string' ? text : text.text, shapes]));
      return query(text, parameters);
    },
  });
});

afterAll(() => kit.close());

type Asked = { workspace_id: WorkspaceId; otp_id: MessageId; test_mode: boolean };
type Act = (calls: DispatchCalls, asked: Asked) => Promise<unknown>;

const claim = () => ({ scope: 's', key: newId(), fingerprint: 'f' });
const actions: [string, Act][] = [
  ['verify', (calls, asked) => calls.verifyOtp({ ...asked, code: '1234', idempotency: null })],
  [
    'verify with a key',
    (calls, asked) => calls.verifyOtp({ ...asked, code: '1234', idempotency: claim() }),
  ],
  [
    'cancel',
    (calls, { otp_id, ...scope }) =>
      calls.cancelMessage({ ...scope, message_id: otp_id, kind: 'otp', idempotency: claim() }),
  ],
  ['reserve a resend', (calls, asked) => calls.reserveResend({ ...asked, resend_id: newId() })],
  ['find the destination', (calls, asked) => calls.getOtpDestination(asked)],
  [
    'get',
    (calls, { otp_id, ...scope }) =>
      calls.getMessage({ ...scope, message_id: otp_id, kind: 'otp' }),
  ],
];

async function statementsOf(act: Act, asked: Asked): Promise<string[]> {
  const statements: string[] = [];
  await executed.run(statements, () => act(kit.calls, asked));
  return statements;
}

it.each(actions)(
  '%s: an id of another workspace runs the same statements as an unknown id',
  async (_, act) => {
    const command = otpCommand({}, { resend_max: 3 });
    await kit.send(command);
    await kit.until(command.message_id, 'sent');
    const { workspace_id, message_id: otp_id } = command;
    const before = await kit.stored(otp_id);
    for (const scope of [
      { workspace_id, test_mode: true },
      { workspace_id: newId(), test_mode: false },
    ]) {
      const expected = await statementsOf(act, { ...scope, otp_id: newId() });
      expect(expected.length).toBeGreaterThan(0);
      expect(await statementsOf(act, { ...scope, otp_id })).toEqual(expected);
    }
    expect(await kit.stored(otp_id)).toEqual(before);
  },
);
