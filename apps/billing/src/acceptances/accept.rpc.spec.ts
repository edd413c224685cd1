import { describe, expect, it } from '@jest/globals';
import { Overloaded } from '@watchword/batching';
import {
  type AcceptRequest,
  type AcceptResult,
  asId,
  type WorkspaceId,
} from '@watchword/contracts';
import { DatabaseUnavailable } from '@watchword/postgres';
import type { AcceptHandler } from './accept.handler.js';
import { AcceptRpc } from './accept.rpc.js';

const conflict: AcceptResult = { verdict: 'idempotency_conflict' };

function request(name: string, key?: string): AcceptRequest {
  const idempotency = key === undefined ? null : { scope: 's', key, fingerprint: 'f' };
  return { send: { message_id: name, workspace_id: 'w' }, idempotency } as AcceptRequest;
}

function recording(fail?: (batch: string[]) => Error | undefined) {
  const batches: string[][] = [];
  const handler: Pick<AcceptHandler, 'acceptBatch'> = {
    async acceptBatch(requests) {
      const names = requests.map(({ send }) => send.message_id);
      batches.push(names);
      const error = fail?.(names);
      if (error) throw error;
      return requests.map(() => conflict);
    },
  };
  return { rpc: new AcceptRpc(handler), batches };
}

describe('calls to accept', () => {
  it('never share a batch under one key, and keep their order', async () => {
    const { rpc, batches } = recording();
    await Promise.all([
      rpc.accept(request('a1', 'a')),
      rpc.accept(request('a2', 'a')),
      rpc.accept(request('b1', 'b')),
      rpc.accept(request('a3', 'a')),
    ]);
    expect(batches).toEqual([['a1', 'b1'], ['a2'], ['a3']]);
  });

  it('go on under a key whose first call failed', async () => {
    const { rpc } = recording((names) => (names[0] === 'a1' ? new Error('broken') : undefined));
    const [first, second] = await Promise.allSettled([
      rpc.accept(request('a1', 'a')),
      rpc.accept(request('a2', 'a')),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('are not tried again when the outcome is unknown', async () => {
    const { rpc, batches } = recording(() => new DatabaseUnavailable(true, undefined));
    const outcomes = await Promise.allSettled(['a', 'b'].map((name) => rpc.accept(request(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  it('are refused at once when too many wait', async () => {
    const { rpc } = recording();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3_000 }, (_, index) => rpc.accept(request(`${index}`))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(3_000 - 2_048);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Overloaded);
  });

  it('of many workspaces take turns when not all fit into one batch', async () => {
    const { rpc, batches } = recording();
    const from = (workspace: string, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const one = request(`${workspace}${index}`);
        return { ...one, send: { ...one.send, workspace_id: asId<WorkspaceId>(workspace) } };
      });
    const asked = [...from('hog', 900), ...from('small', 10)];
    await Promise.all(asked.map((one) => rpc.accept(one)));
    const ofSmall = batches.map((names) => names.filter((name) => name.startsWith('small')).length);
    expect(ofSmall).toEqual([10, 0, 0, 0]);
  });
});
