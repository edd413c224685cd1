import { describe, expect, it, jest } from '@jest/globals';
import { BatchedKeyDirectory } from './batched-key-directory.adapter.js';
import type { Caller } from './key-directory.port.js';

function directoryOf(known: Record<string, string>) {
  const database = { settings_version: 7, key_version: 1 };
  const reached = jest.fn<(version: number) => Promise<void>>(async () => undefined);
  const findCallers = jest.fn(async (hashes: readonly string[]) => {
    const found = hashes.filter((hash) => hash in known);
    const callers = new Map(found.map((hash) => [hash, { keyId: known[hash] } as Caller]));
    return { callers, versions: found.length > 0 ? { ...database } : null };
  });
  const readVersions = jest.fn(async () => ({ ...database }));
  return {
    directory: new BatchedKeyDirectory(
      { findCallers, readVersions, isNew: () => false },
      { reached },
    ),
    database,
    findCallers,
    readVersions,
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

  it('asks for the next request whether keys have changed, and reads them again if so', async () => {
    const known: Record<string, string> = { a: '1' };
    const { directory, database, findCallers, readVersions } = directoryOf(known);
    expect(await directory.find('a')).toMatchObject({ keyId: '1' });
    expect(await directory.find('a')).toMatchObject({ keyId: '1' });
    expect([findCallers.mock.calls.length, readVersions.mock.calls.length]).toEqual([1, 1]);
    delete known['a'];
    database.key_version += 1;
    expect(await directory.find('a')).toBeNull();
  });

  it('asks the database for a key that was not found before', async () => {
    const known: Record<string, string> = { a: '1' };
    const { directory } = directoryOf(known);
    await directory.find('a');
    expect(await directory.find('b')).toBeNull();
    known['b'] = '2';
    expect(await directory.find('b')).toMatchObject({ keyId: '2' });
  });

  it('does not keep what a slower look-up read before a change', async () => {
    const { directory, database, findCallers } = directoryOf({ a: '1', b: '2' });
    const slow = Promise.withResolvers<void>();
    const { key_version: before } = database;
    findCallers.mockImplementationOnce(async () => {
      await slow.promise;
      const callers = new Map([['a', { keyId: 'old' } as unknown as Caller]]);
      return { callers, versions: { settings_version: 7, key_version: before } };
    });
    const first = directory.find('a');
    await new Promise((resolve) => setImmediate(resolve));
    database.key_version += 1;
    await directory.find('b');
    slow.resolve();
    expect(await first).toMatchObject({ keyId: 'old' });
    expect(await directory.find('a')).toMatchObject({ keyId: '1' });
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
