import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setUp } from '../../tools/set-up.mjs';

export const root = join(import.meta.dirname, '../..');

/** A version of Watchword that can be started: sources of one commit, packages and what is built of it. */
export interface Release {
  name: string;
  directory: string;
}

/** The release before this one, as `deploy/last-release` names it: the first word that is no comment. */
export function lastRelease(): string {
  const text = readFileSync(join(root, 'deploy/last-release'), 'utf8');
  const commit = text.split('\n').find((line) => /^[0-9a-f]{40}$/.test(line));
  if (commit === undefined) throw new Error('deploy/last-release names no commit');
  return commit;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

/** Builds the commit in its own directory, which is removed when this process ends. */
export async function checkOut(commit: string, say: (text: string) => void): Promise<Release> {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    throw new Error(`The commit ${commit} is not in this clone: fetch the whole history of main.`);
  }
  const directory = join(mkdtempSync(join(tmpdir(), 'watchword-release-')), 'watchword');
  git('worktree', 'add', '--detach', '--quiet', directory, commit);
  process.on('exit', () => {
    git('worktree', 'remove', '--force', directory);
    rmSync(dirname(directory), { recursive: true, force: true });
  });
  if (packagesOf(directory) === packagesOf(root)) {
    say('its packages are those of this checkout');
    linkPackages(directory);
  }
  await setUp({ directory, development: false });
  return { name: commit.slice(0, 9), directory };
}

/** The versions of all packages, without those of the workspaces. */
function packagesOf(directory: string): string {
  const text = readFileSync(join(directory, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, { link?: boolean }> };
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => /(^|\/)node_modules\//.test(path) && link !== true,
  );
  return JSON.stringify(installed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Third-party packages are links to ours; those of the workspaces lead into the checkout. */
function linkPackages(directory: string): void {
  const [ours, theirs] = [join(root, 'node_modules'), join(directory, 'node_modules')];
  mkdirSync(join(theirs, '@watchword'), { recursive: true });
  for (const name of readdirSync(ours)) {
    if (name === '@watchword' || name === '.cache' || name === '.package-lock.json') continue;
    const target = join(ours, name);
    // Links of the workspaces that have no scope lead into the checkout as well.
    if (name !== '.bin' && lstatSync(target).isSymbolicLink()) continue;
    symlinkSync(target, join(theirs, name));
  }
  for (const folder of ['apps', 'libs']) {
    for (const entry of readdirSync(join(directory, folder), { withFileTypes: true })) {
      const place = join(directory, folder, entry.name);
      const { name } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
        name: string;
      };
      symlinkSync(place, join(theirs, '@watchword', basename(name)));
    }
  }
  writeFileSync(join(theirs, '.package-lock.json'), '{}');
}
