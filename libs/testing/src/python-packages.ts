import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');
/** Milliseconds. Without a registry it fails sooner. */
const INSTALL_TIMEOUT_MS = 60_000;

/**
 * Returns the directory of these Python packages, or null without Python and pip. Pinned by version
 * and hash; installed once, below `node_modules/.cache`.
 */
export function pythonPackages(
  name: string,
  { module, requirements }: { module: string; requirements: readonly string[] },
): string | null {
  const directory = join(CACHE, name);
  if (existsSync(join(directory, module))) return directory;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'requirements.txt');
  writeFileSync(file, `${requirements.join('\n')}\n`);
  const quietly = ['--quiet', '--disable-pip-version-check', '--retries', '0', '--timeout', '15'];
  const exactly = ['--require-hashes', '--no-deps', '--target', directory, '--requirement', file];
  const { status, stderr } = spawnSync(
    'python3',
    ['-m', 'pip', 'install', ...quietly, ...exactly],
    { encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS },
  );
  if (status === 0) return directory;
  process.stderr.write(`${name} is not checked: pip cannot install it here. ${stderr ?? ''}\n`);
  return null;
}
