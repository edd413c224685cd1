import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { eventually, FakeClock } from '@watchword/testing';
import { otpCommand, smsCommand } from './commands.kit.js';
import { type Kit, startKit } from './dispatch.kit.js';

let clock: FakeClock;
let kit: Kit;

beforeEach(async () => {
  clock = new FakeClock(Date.now());
  kit = await startKit({ clock });
});
afterEach(() => kit.close());

/** The gateway announces each change of a workspace with the time of the change. */
function standing(workspaceId: WorkspaceId, suspended: boolean, atMs = Date.now()) {
  return kit.account({
    type: 'workspace.updated',
    workspace_id: workspaceId,
    name: 'Acme',
    suspended,
    occurred_at: new Date(atMs).toISOString(),
  });
}

const held = async (): Promise<number> => {
  const { rows } = await kit.database.pool.query('SELECT FROM held_commands');
  return rows.length;
};

it('decisions 22: messages of a suspended workspace wait while others pass, and are sent once when the suspension ends', async () => {
  const workspace_id = newId();
  await standing(workspace_id, true);
  const [waiting, passing] = [smsCommand({ workspace_id }), smsCommand()];
  await kit.send(waiting, passing);
  await kit.send(waiting);
  await kit.until(passing.message_id, 'sent');
  await kit.sweep();
  expect(await held()).toBe(1);
  expect(kit.africasTalking.submits.map(({ messageId }) => messageId)).toEqual([
    passing.message_id,
  ]);
  await standing(workspace_id, false);
  await kit.until(waiting.message_id, 'sent');
  await eventually(async () => expect(await held()).toBe(0));
  await kit.send(waiting);
  expect(kit.africasTalking.submits).toHaveLength(2);
});

it('a code of a suspended workspace that expires before the suspension ends fails and is refunded', async () => {
  const workspace_id = newId();
  await standing(workspace_id, true);
  const waiting = otpCommand({ workspace_id }, { ttl_seconds: 30 });
  waiting.otp!.expires_at = new Date(clock.now() + 30_000).toISOString();
  await kit.send(waiting);
  clock.advance(30_000);
  await kit.until(waiting.message_id, 'failed');
  expect(await kit.stored(waiting.message_id)).toMatchObject({ reason: 'expired' });
  const refunds = await kit.refundCommands();
  expect(refunds.map(({ message_id: id }) => id)).toEqual([waiting.message_id]);
  expect(kit.africasTalking.submits).toHaveLength(0);
});
