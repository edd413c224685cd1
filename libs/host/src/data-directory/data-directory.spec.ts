import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UserError } from '../user-error.js';
import { takeDataDirectory } from './data-directory.js';
import { identityOf } from './process-identity.js';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'watchword data '));
});

afterEach(async () => {
  await rm(parent, { recursive: true, force: true });
});

describe('taking the data directory', () => {
  it('makes it, private, and leaves no lock behind', async () => {
    const directory = await takeDataDirectory(join(parent, 'new', 'data'));
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
    expect(await readdir(directory.path)).toEqual(['lock.json']);
    directory.release();
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('refuses one that a running process has, in one line that says what to do', async () => {
    const directory = await takeDataDirectory(parent);
    const refused = await takeDataDirectory(parent).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as Error).message).toBe(
      `DATA_DIR ${parent} is in use by a running Watchword (process ${process.pid}): ` +
        'stop that one, or set DATA_DIR to another directory.',
    );
    expect(await readdir(parent)).toEqual(['lock.json']);
    directory.release();
  });

  it('refuses what another user has left there', async () => {
    const file = join(parent, 'secrets.json');
    await writeFile(file, '{}');
    if (process.getuid?.() === 0) await chown(file, 12_345, 12_345);
    else await chmod(file, 0);
    await expect(takeDataDirectory(parent)).rejects.toThrow(
      new UserError(
        `DATA_DIR ${parent} has files of another user, such as secrets.json: ` +
          'start as that user, or set DATA_DIR to another directory.',
      ),
    );
    expect(await readdir(parent)).toEqual(['secrets.json']);
  });

  it('takes over from a process that was killed', async () => {
    const child = spawn('sleep', ['60']);
    const identity = identityOf(child.pid!);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await writeFile(join(parent, 'lock.json'), JSON.stringify(identity));
    const directory = await takeDataDirectory(parent);
    const lock = JSON.parse(await readFile(join(parent, 'lock.json'), 'utf8'));
    expect(lock.pid).toBe(process.pid);
    directory.release();
  });

  it.each([
    ['a process id that another process has by now', () => ({ ...identityOf(1), startedAt: '1' })],
    ['a boot that is over', () => ({ ...identityOf(process.pid), bootId: 'before' })],
    ['nothing readable', () => undefined],
  ])('takes over a lock that names %s', async (_, owner) => {
    await writeFile(join(parent, 'lock.json'), JSON.stringify(owner()) ?? '');
    const directory = await takeDataDirectory(parent);
    directory.release();
    expect(await readdir(parent)).toEqual([]);
  });
});
