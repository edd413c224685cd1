import { expect, it } from '@jest/globals';
import { newId, type SendMessage, type VerifyResult, type WorkspaceId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import fc from 'fast-check';
import { otpCommand } from './commands.kit.js';
import { codeIn, wrongCode } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';
/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const clock = new FakeClock('2026-11-20T08:00:00.000Z');
useKit({ clock });

const CODES = 4;
const NUMBERS = ['+2348031230001', '+2348031230002'];
/** Wrong codes of the first number before the batch: none yet, some, almost and quite as many as are allowed. */
const counts = fc.constantFrom(null, 3, 97, 100);
const guesses = fc.array(fc.record({ code: fc.nat(CODES - 1), isRight: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});
type Guesses = typeof guesses extends fc.Arbitrary<infer Value> ? Value : never;

interface Sent {
  readonly command: SendMessage;
  readonly code: string;
}

async function sent(workspace_id: WorkspaceId, index: number, max_attempts = 50): Promise<Sent> {
  const command = otpCommand(
    {
      workspace_id,
      // Random, and of no network that others use.
      network: newId(),
      destination: NUMBERS[index % NUMBERS.length]!,
      created_at: new Date(clock.now()).toISOString(),
    },
    { max_attempts, expires_at: new Date(clock.now() + 600_000).toISOString() },
  );
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  const request = kit.africasTalking.submits.find((one) => one.messageId === command.message_id);
  return { command, code: codeIn(request) };
}

function verify({ command, code }: Sent, isRight: boolean): Promise<VerifyResult> {
  const { workspace_id, test_mode, message_id: otp_id } = command;
  const guess = isRight ? code : wrongCode(code);
  return kit.calls.verifyOtp({ workspace_id, test_mode, otp_id, code: guess, idempotency: null });
}

/**
 * Makes these guesses in one batch, in a workspace of its own. A code that uses its last attempt beside
 * them makes it a batch for `judge_messages`.
 */
async function outcome(made: Guesses, before: number | null, isGeneral: boolean) {
  const workspace = newId();
  const codes: Sent[] = [];
  for (let index = 0; index < CODES; index += 1) codes.push(await sent(workspace, index));
  const last = isGeneral ? [await sent(newId(), 0, 1)] : [];
  if (before !== null) {
    await kit.database.pool.query('INSERT INTO guessed_numbers VALUES ($1, $2, $3, $4)', [
      workspace,
      NUMBERS[0],
      before,
      new Date(clock.now() - 1_000),
    ]);
  }
  const results = await Promise.all([
    ...made.map(({ code, isRight }) => verify(codes[code]!, isRight)),
    ...last.map((one) => verify(one, false)),
  ]);
  const ids = codes.map(({ command }) => command.message_id);
  return { results: results.slice(0, made.length), ...(await rowsOf(workspace, ids)) };
}

async function rowsOf(workspace: string, ids: readonly string[]) {
  const query = async (text: string, values: unknown[]) =>
    (await kit.database.pool.query(text, values)).rows;
  const messages = await query(
    `SELECT state, version, attempt_count, max_attempts, verified_at, updated_at, ended_at, reason,
       code_cipher IS NULL AS is_bare, provider IS NULL AS is_unsent
     FROM messages WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
    [ids],
  );
  const numbers = await query(
    `SELECT destination, wrong_count, last_wrong_at FROM guessed_numbers
     WHERE workspace_id = $1 ORDER BY 1`,
    [workspace],
  );
  const events = await Promise.all(
    ids.map(async (id) => {
      const published = await query(
        'SELECT topic, type, occurred_at, payload FROM message_queue WHERE key = $1 ORDER BY position',
        [id],
      );
      // What differs between any two events.
      return JSON.stringify(published)
        .replaceAll(id, 'message')
        .replaceAll(workspace, 'workspace')
        .replaceAll(/"(event_id|network|provider_message_id)\\?":\\?"[^"]*"/g, '')
        .replaceAll(/\\"(event_id|network|provider_message_id)\\":\\"[^"]*\\"/g, '');
    }),
  );
  return { messages, numbers, events };
}

it('the short statement writes the same verdicts as the general one', async () => {
  await fc.assert(
    fc.asyncProperty(guesses, counts, async (made, before) => {
      const short = await outcome(made, before, false);
      expect(short).toEqual(await outcome(made, before, true));
      const isBarred = before === 100 && made.some(({ code }) => code % 2 === 0);
      const isJudged = short.results.some(({ outcome: word }) => word === 'checked');
      expect(isJudged || isBarred).toBe(true);
    }),
    { numRuns: 25 },
  );
});
