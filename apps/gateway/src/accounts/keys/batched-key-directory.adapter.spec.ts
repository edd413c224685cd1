import { describe, expect, it, jest } from '@jest/globals';
import { BatchedKeyDirectory } from './batched-key-directory.adapter.js';
import type { Caller } from './key-directory.port.js';

function directoryOf(known: Record<string, string>) {
  const reached = jest.fn<(version: number) => Promise<void>>(async () => undefined);
  const findCallers = jest.fn(async (hashes: readonly string[]) => {
    const found = hashes.filter((hash) => hash in known);
    const callers = new Map(found.map((hash) => [hash, { keyId: known[hash] } as Caller]));
    return { callers, settingsVersion: found.length > 0 ? 7 : null };
  });
  return {
    directory: new BatchedKeyDirectory({ findCallers, isNew: () => false }, { reached }),
    findCallers,
    reached,
  };
}

describe('BatchedKeyDirectory', () => {
  it('reads all keys of a turn in one statement', async () => {
    const { directory, findCallers } = directoryOf({ a: '1', b: '2' });
    const found = await Promise.all(['a', 'b', 'a', 'c'].map((hash) => directory.find(hash)));
    expect(found.map((caller) => caller?.keyId)).toEqual(['1', '2', '1', undefined]);
    expect(findCallers.mock.calls).toEqual([[['a', 'b', 'c']]]);
  });

  it('reads a key again for the next request', async () => {
    const known: Record<string, string> = { a: '1' };
    const { directory } = directoryOf(known);
    expect(await directory.find('a')).toMatchObject({ keyId: '1' });
    delete known['a'];
    expect(await directory.find('a')).toBeNull();
  });

  it('reports the version of the settings before it answers', async () => {
    const { directory, reached } = directoryOf({ a: '1' });
    await directory.find('a');
    expect(reached.mock.calls).toEqual([[7]]);
  });

  it('rejects all look-ups of a turn when the database fails, and reads the next turn', async () => {
    const { directory, findCallers } = directoryOf({ a: '1' });
    findCallers.mockRejectedValueOnce(new Error('unavailable'));
    const both = await Promise.allSettled([directory.find('a'), directory.find('b')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await directory.find('a')).toMatchObject({ keyId: '1' });
  });
});
