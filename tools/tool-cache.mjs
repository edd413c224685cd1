/**
 * Tools of checks, obtained once and kept outside the repository (WATCHWORD_HELM_CACHE, else
 * ~/.cache/watchword-helm). Where one cannot be obtained, the check fails; with `--skip-without-tools` it says
 * SKIPPED and goes on without it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const cache =
  process.env['WATCHWORD_HELM_CACHE'] ?? join(homedir(), '.cache/watchword-helm');

/** Made under another name, so that one that breaks off leaves nothing behind. */
export function once(folder, make) {
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const into = mkdtempSync(join(cache, 'making-'));
  try {
    make(into);
    renameSync(into, folder);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
  return folder;
}

/** A package from PyPI, without what it depends on. */
export function pip(into, requirement) {
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--root-user-action=ignore'];
  execFileSync('python3', [...args, '--target', into, requirement], { stdio: 'inherit' });
}

/** Undefined where it was skipped. */
export function orSkipped(what, obtain, say) {
  try {
    return obtain();
  } catch (error) {
    if (!process.argv.includes('--skip-without-tools')) throw error;
    say(`SKIPPED: cannot obtain ${what}. ${error.message}`);
    return undefined;
  }
}
