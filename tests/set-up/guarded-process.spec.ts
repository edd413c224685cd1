/** An install or a build ends with the command that runs it, however that ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { processTree, stillThere } from '../support/process-tree.js';

const module = join(import.meta.dirname, '../../tools/guarded-process.mjs');

/** A program that ignores the signals of a terminal, and has a process of its own. */
const PROGRAM = "trap '' HUP INT TERM; sleep 3600 & echo ready; wait";
const SET_UP = `
  import { runGuarded } from ${JSON.stringify(module)};
  const args = ['-c', ${JSON.stringify(PROGRAM)}];
  await runGuarded('/bin/sh', args, { cwd: '/', stdout: 'inherit' });`;

it.each(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a set-up that gets %s leaves no process',
  async (signal) => {
    const args = ['--input-type=module', '--eval', SET_UP];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const exit = once(child, 'exit');
    await once(createInterface(child.stdout), 'line');
    const commands = () => processTree(child.pid!).map(({ command }) => command);
    // A process that has just been forked has no command yet.
    await waitUntil('its program and its guard', () => {
      return ['sleep 3600', 'watchword-guard'].every((part) =>
        commands().some((command) => command.includes(part)),
      );
    });
    const started = processTree(child.pid!);

    child.kill(signal);
    const [code] = (await exit) as [number | null];
    expect(code).not.toBe(0);
    await waitUntil('the end of all of them', () => stillThere(started).length === 0);
  },
);
