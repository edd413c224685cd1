import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { restoreCluster, takePlace } from './restore-cluster.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-restore-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a restored cluster', () => {
  it('leaves the former one in its place when it cannot take it', async () => {
    const path = join(directory, 'postgres');
    await mkdir(path);
    await writeFile(join(path, 'PG_VERSION'), '18\n');
    await expect(takePlace(join(directory, 'gone'), path)).rejects.toThrow('ENOENT');
    expect(await readdir(directory)).toEqual(['postgres']);
    expect(await readFile(join(path, 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  it('says why its archive cannot be read, and leaves nothing', async () => {
    function* read() {
      yield Buffer.alloc(100, 'x');
      throw new Error('the disk is broken');
    }
    await expect(restoreCluster(directory, Readable.from(read()))).rejects.toThrow(
      'the disk is broken',
    );
    const names = await readdir(directory);
    expect(names.filter((name) => name.startsWith('postgres.'))).toEqual([]);
  });

  it('says what is wrong with an archive that is none', async () => {
    const archive = Readable.from([Buffer.alloc(4 * 1024 * 1024, 'x')]);
    await expect(restoreCluster(directory, archive)).rejects.toThrow('cannot be unpacked: tar');
  });

  it('is not initialised beside one that a killed restore set aside', async () => {
    const former = join(directory, 'postgres.before-20261122T220000Z');
    const recovered = join(directory, 'postgres.unfinished-1');
    await mkdir(former);
    await mkdir(recovered);
    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
      `a restore set one aside as ${former}. Run the restore again`,
    );
    const names = await readdir(directory);
    expect(names).toEqual(
      expect.arrayContaining([former, recovered].map((path) => path.slice(directory.length + 1))),
    );
    expect(names).not.toContain('postgres');
  });
});
