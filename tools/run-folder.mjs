/**
 * A folder that holds everything a run of tests writes, and a watcher that ends the run: when this process is gone,
 * for whatever reason, it ends each process of the run and removes the folder. It knows them by the folder's name
 * in their environment or their arguments.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds between two checks that npm, which started this process, still runs. */
const PARENT_CHECK_MS = 1_000;

/** The folder's name comes over its input: among its arguments it would find itself. */
const END_OF_RUN = `
  trap '' HUP INT TERM
  read -r folder
  cat >/dev/null
  # The watchdog of an embedded PostgreSQL has the folder in its environment, too, and ends its server.
  processes() {
    printf %s "$folder" | grep -slFf - /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | sort -u
  }
  without_watchdogs() {
    for pid; do grep -qa watchword-watchdog "/proc/$pid/cmdline" || echo "$pid"; done
  }
  for signal in TERM QUIT KILL; do
    tries=0
    while [ "$tries" -lt 8 ]; do
      running=$(processes)
      [ -z "$running" ] && break 2
      [ "$tries" -eq 0 ] && kill -"$signal" $(without_watchdogs $running) 2>/dev/null
      tries=$((tries + 1))
      sleep 0.3
    done
  done
  # A server that root starts keeps its data where its own user can reach it, and notes the owner.
  printf %s "$folder" | grep -slFf - /var/lib/watchword/*/owner | xargs -r -n 1 dirname | xargs -r rm -rf
  rm -rf "$folder"`;

/** Opens the folder and makes it this process's folder for temporary files. Call it once. */
export function openRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'watchword-run-'));
  // PostgreSQL and mail servers run as other users.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.env['WATCHWORD_RUN_FOLDER'] = folder;
  const watcher = spawn('/bin/sh', ['-c', END_OF_RUN, 'watchword-end-of-run'], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  watcher.stdin.write(`${folder}\n`);
  // It keeps no process alive.
  watcher.unref();
  watcher.stdin.unref();
  const ended = once(watcher, 'exit');
  const parent = process.ppid;
  const parentCheck = setInterval(() => {
    if (process.ppid !== parent) void end('SIGTERM');
  }, PARENT_CHECK_MS).unref();
  /** Ends every process of the run and removes the folder. */
  async function close() {
    clearInterval(parentCheck);
    watcher.ref();
    watcher.stdin.end();
    await ended;
  }
  async function end(signal) {
    console.log(`\n${signal}: ending the processes of this run.`);
    await close();
    process.exit(128 + constants.signals[signal]);
  }
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, end);
  return { folder, close };
}
