import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess } from '@watchword/local-servers';
import { laterCrashes, type Logger } from '@watchword/observability';
import { answersOk } from './answers-ok.js';
import type { ReplicaPlan } from './replica-plan.js';

const apps = new URL('../../', import.meta.url);
const startPatienceMs = 60_000;
/** Longer than a service needs by its own word. */
const stopPatienceMs = 6_000;
const lookEveryMs = 200;

/** A process of a service, which is started again when it dies, as an orchestrator would. */
export class Replica {
  readonly healthUrl: string;
  readonly readyUrl: string;
  readonly metricsUrl: string;
  private readonly process: ServerProcess;
  private readonly environment: NodeJS.ProcessEnv;
  private watching: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    readonly plan: ReplicaPlan,
    directory: string,
    private readonly logger: Logger,
    /** It has died, or is there again. */
    private readonly onChange: () => void,
  ) {
    const status = `http://127.0.0.1:${plan.metricsPort}`;
    this.healthUrl = `${status}/health`;
    this.readyUrl = `${status}/ready`;
    this.metricsUrl = `${status}/metrics`;
    this.environment = { ...process.env, ...plan.environment };
    this.process = new ServerProcess({
      name: `${plan.service} ${plan.replica}`,
      command: process.execPath,
      args: [
        '--disable-warning=TimeoutNegativeWarning',
        fileURLToPath(new URL(`${plan.service}/dist/main.js`, apps)),
      ],
      directory: join(directory, `${plan.service}-${plan.replica}`),
      environment: this.environment,
      isReady: () => answersOk(this.readyUrl),
      startPatienceMs,
      stopPatienceMs,
    });
  }

  /** Undefined while it is being started again. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  async start(): Promise<void> {
    await this.process.start();
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.process.stop();
    await this.watching;
    await this.process.stop();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    const { service, replica } = this.plan;
    while (!signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || this.process.pid !== undefined) continue;
      this.logger.error({ service, replica }, 'a service died and is started again');
      this.onChange();
      this.environment['CRASH_AT'] = laterCrashes(this.environment['CRASH_AT']);
      await this.process.start().then(this.onChange, (error: unknown) => {
        if (!signal.aborted)
          this.logger.error({ service, replica, err: error }, 'it does not start');
      });
    }
  }
}
