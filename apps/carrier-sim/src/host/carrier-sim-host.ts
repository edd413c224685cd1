import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierSimOptions } from '../start-carrier-sim.js';
import type { CarrierSimAnswer } from './carrier-sim.process.js';

export interface CarrierSimHost {
  readonly url: string;
  stop(): Promise<void>;
  abort(): void;
}

export interface CarrierSimHostOptions {
  accounts: CarrierSimOptions['accounts'];
  /** From the settings: taken means failing. 0 means the preferred one, else any. */
  port: number;
  preferredPort: number;
  /** What the simulator accepted outlives a kill of the whole installation, as at a real carrier. */
  journalPath: string;
  onRestart: () => void;
}

const program = fileURLToPath(new URL('./carrier-sim.process.js', import.meta.url));
const stopPatienceMs = 1_000;
const restartDelayMs = 500;

export async function startCarrierSimHost(options: CarrierSimHostOptions): Promise<CarrierSimHost> {
  const { accounts, journalPath, port, preferredPort } = options;
  const fixed = { accounts, journalPath };
  let running = await start({ ...fixed, port: port || preferredPort }).catch((error: unknown) => {
    if (error instanceof CarrierSimPortTaken && port === 0) return start({ ...fixed, port: 0 });
    throw error;
  });
  const { url } = running;
  let stopping = false;
  const keepRunning = async (): Promise<void> => {
    await sleep(restartDelayMs);
    if (stopping) return;
    options.onRestart();
    running = await start({ ...fixed, port: Number(new URL(url).port) });
    running.child.once('exit', onExit);
  };
  const onExit = (): void => {
    if (!stopping) keepRunning().catch(onExit);
  };
  running.child.once('exit', onExit);
  return {
    url,
    async stop() {
      stopping = true;
      await end(running.child);
    },
    abort() {
      stopping = true;
      running.child.kill('SIGKILL');
    },
  };
}

/** Another program listens on the port of the settings. */
export class CarrierSimPortTaken extends Error {}

async function start(options: CarrierSimOptions): Promise<{ child: ChildProcess; url: string }> {
  // A group of its own: Ctrl-C is for us; messages in hand still reach their carrier while we drain.
  const child = fork(program, { detached: true, execArgv: [], env: {}, stdio: 'inherit' });
  child.send(options);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as CarrierSimAnswer),
    once(child, 'exit').then(() => ({ code: '', message: 'it ended at once' })),
  ]);
  if ('url' in answer) return { child, url: answer.url };
  await end(child);
  if (answer.code === 'EADDRINUSE') throw new CarrierSimPortTaken();
  throw new Error(`The carrier simulator does not start: ${answer.message}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  const kill = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
  await exited;
  clearTimeout(kill);
}
