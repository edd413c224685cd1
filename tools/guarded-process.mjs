/**
 * Runs a program that ends with this process, however this process ends: by a signal, with its terminal, or by
 * SIGKILL. Plain Node without dependencies.
 */
import { spawn } from 'node:child_process';

/** This process got a signal, and the program was ended. */
export class Interrupted extends Error {}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];
/** Its input closes when this process is gone. Then it kills the program's process group. */
const GUARD = 'cat >/dev/null; kill -s KILL -- "-$1"';

/** Resolves with the exit code and what the program wrote to its error output. */
export async function runGuarded(program, args, { cwd, env = process.env, stdout = 'ignore' }) {
  // A process group of its own: Ctrl-C reaches this process alone, which ends the group.
  const stdio = ['ignore', stdout, 'pipe'];
  const child = spawn(program, args, { cwd, env, stdio, detached: true });
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve(code ?? signal));
  });
  if (child.pid === undefined) return closed;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  let interruptedBy;
  const interrupt = (signal) => {
    interruptedBy = signal;
    process.kill(-child.pid, 'SIGKILL');
  };
  const guard = spawn('/bin/sh', ['-c', GUARD, 'watchword-guard', String(child.pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const code = await closed;
    if (interruptedBy !== undefined) throw new Interrupted(interruptedBy);
    return { code, errors };
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    guard.kill('SIGKILL');
    guard.stdin.destroy();
  }
}
