import { describe, expect, it, jest } from '@jest/globals';
import { CachedKeyDirectory } from './cached-key-directory.adapter.js';
import type { Caller } from './key-directory.port.js';

const caller = (keyId: string, workspaceId = 'w'): Caller =>
  ({ keyId, mode: 'live', permission: 'full', workspace: { id: workspaceId } }) as Caller;

const lease = { mayAnswerFromMemory: () => true, everyoneKnows: async () => {} };
const revoked = (id: string) => ({ number: 1, kind: 'key' as const, id });

function directoryOf(answers: Record<string, Caller>) {
  const findCaller = jest.fn(async (hash: string) => answers[hash] ?? null);
  return { findCaller, directory: new CachedKeyDirectory({ findCaller }, lease) };
}

describe('CachedKeyDirectory', () => {
  it('forgets a revoked key at once, and no other', async () => {
    const answers: Record<string, Caller> = { a: caller('1'), b: caller('2') };
    const { directory } = directoryOf(answers);
    await Promise.all([directory.find('a'), directory.find('b')]);
    delete answers['a'];
    directory.changed(revoked('1'));
    expect(directory.remembered('b')).toMatchObject({ keyId: '2' });
    expect(directory.remembered('a')).toBeUndefined();
    expect(await directory.find('a')).toBeNull();
  });

  it('does not believe a lookup that began before the revocation', async () => {
    const reads: ((found: Caller | null) => void)[] = [];
    const directory = new CachedKeyDirectory(
      {
        findCaller: () => new Promise((resolve) => reads.push(resolve)),
      },
      lease,
    );
    const early = directory.find('a');
    directory.changed(revoked('1'));
    const late = directory.find('a');
    reads[0]?.(caller('1'));
    await new Promise(setImmediate);
    for (const read of reads.slice(1)) read(null);
    expect([await early, await late]).toEqual([null, null]);
    expect(directory.remembered('a')).toBeUndefined();
  });

  it('asks the database for every request without a lease, and keeps nothing of it', async () => {
    const findCaller = jest.fn(async () => caller('1'));
    let isLive = false;
    const lapsed = { mayAnswerFromMemory: () => isLive, everyoneKnows: async () => {} };
    const directory = new CachedKeyDirectory({ findCaller }, lapsed);
    await Promise.all([directory.find('a'), directory.find('a')]);
    isLive = true;
    await directory.find('a');
    expect(findCaller).toHaveBeenCalledTimes(3);
    expect(directory.remembered('a')).toMatchObject({ keyId: '1' });
    isLive = false;
    expect(directory.remembered('a')).toBeUndefined();
    await directory.find('a');
    expect(findCaller).toHaveBeenCalledTimes(4);
  });
});
