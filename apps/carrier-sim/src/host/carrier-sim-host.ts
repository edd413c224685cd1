import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierSim, CarrierSimOptions } from '../start-carrier-sim.js';
import type { CarrierSimAnswer } from './carrier-sim.process.js';

export interface CarrierSimHost extends Omit<CarrierSim, 'close'> {
  stop(): Promise<void>;
  abort(): void;
}

export interface CarrierSimHostOptions {
  accounts: CarrierSimOptions['accounts'];
  bounceExchangers: CarrierSimOptions['bounceExchangers'];
  /** Port from the settings; it fails when taken. 0 means the preferred one, else any. */
  port: number;
  preferredPort: number;
  onRestart: () => void;
}

const program = fileURLToPath(new URL('./carrier-sim.process.js', import.meta.url));
const STOP_TIMEOUT_MS = 1_000;
const RESTART_DELAY_MS = 500;

export async function startCarrierSimHost(options: CarrierSimHostOptions): Promise<CarrierSimHost> {
  const { accounts, bounceExchangers, port, preferredPort } = options;
  const fixed = { accounts, bounceExchangers };
  let running = await start({ ...fixed, port: port || preferredPort }).catch((error: unknown) => {
    if (error instanceof CarrierSimPortTaken && port === 0) return start({ ...fixed, port: 0 });
    throw error;
  });
  const { url, smtp, smpp, dns } = running.answer;
  const ports = {
    port: Number(new URL(url).port),
    smtpPort: smtp.port,
    smppPort: smpp?.port ?? 0,
    dnsPort: Number(new URL(`dns://${dns}`).port),
  };
  let stopping = false;
  const keepRunning = async (): Promise<void> => {
    await sleep(RESTART_DELAY_MS);
    if (stopping) return;
    options.onRestart();
    running = await start({ ...fixed, ...ports });
    running.child.once('exit', onExit);
  };
  const onExit = (): void => {
    if (!stopping) keepRunning().catch(onExit);
  };
  running.child.once('exit', onExit);
  return {
    url,
    smtp,
    ...(smpp && { smpp }),
    dns,
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

interface Running {
  readonly child: ChildProcess;
  readonly answer: Omit<CarrierSim, 'close'>;
}

async function start(options: CarrierSimOptions): Promise<Running> {
  // Its own process group, so Ctrl-C reaches only the parent: open sends still reach the carrier
  // while it drains.
  const child = fork(program, {
    detached: true,
    execArgv: [],
    env: compiledBefore(),
    stdio: 'inherit',
  });
  child.send(options);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as CarrierSimAnswer),
    once(child, 'exit').then(() => ({ code: '', message: 'it ended at once' })),
  ]);
  if ('url' in answer) return { child, answer };
  await end(child);
  if (answer.code === 'EADDRINUSE') throw new CarrierSimPortTaken();
  throw new Error(`The carrier simulator does not start: ${answer.message}`);
}

/** Where our own process keeps compiled code, the simulator does, too. */
function compiledBefore(): NodeJS.ProcessEnv {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(kill);
}
