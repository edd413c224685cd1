/** What a run of tests has started ends with the run, however that ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';

const root = join(import.meta.dirname, '../..');

interface Started {
  readonly folder: string;
  /** A process that ignores the signals that a runner passes on. */
  readonly pid: number;
}

/** A run that starts a process in a session of its own, reports it, and then does what `end` says. */
const runThat = (end: string) => `
  import { spawn } from 'node:child_process';
  import { openRunFolder } from ${JSON.stringify(join(root, 'tools/run-folder.mjs'))};
  const run = openRunFolder();
  const program = "trap '' HUP INT TERM; echo ready; while :; do sleep 1; done";
  const child = spawn('/bin/sh', ['-c', program], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', () => {
    console.log(JSON.stringify({ folder: run.folder, pid: child.pid }));
    child.stdout.destroy();
    child.unref();
    ${end}
  });`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function startRun(end: string) {
  const { WATCHWORD_RUN_FOLDER: _, ...env } = process.env;
  const args = ['--input-type=module', '--eval', runThat(end)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const started = JSON.parse(line) as Started;
  expect([isAlive(started.pid), existsSync(started.folder)]).toEqual([true, true]);
  return { child, exit, ...started };
}

async function nothingIsLeft({ folder, pid }: Started): Promise<void> {
  await waitUntil('the end of its processes and its folder', () => {
    return !isAlive(pid) && !existsSync(folder);
  });
}

it.each(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that gets %s leaves no process and no folder',
  async (signal) => {
    const run = await startRun('setInterval(() => {}, 1_000);');
    run.child.kill(signal);
    const [code] = (await run.exit) as [number | null];
    expect(code).not.toBe(0);
    await nothingIsLeft(run);
  },
);

it('a run that ends by itself leaves no process and no folder', async () => {
  const run = await startRun('void run.close();');
  const [code] = (await run.exit) as [number | null];
  expect(code).toBe(0);
  await nothingIsLeft(run);
});
