import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RestartedServer, type Server, ServerProcess } from '@watchword/local-servers';
import { laterCrashes, type Logger } from '@watchword/observability';
import { answersOk } from './answers-ok.js';
import type { ReplicaPlan } from './replica-plan.js';
import { troubleFields } from './trouble-fields.js';

const apps = new URL('../../', import.meta.url);
const START_TIMEOUT_MS = 60_000;
/** Longer than a service needs by its own word. */
const STOP_TIMEOUT_MS = 6_000;
/** What was ready for so long did start; one that dies later is started again at once. */
const SETTLED_AFTER_MS = 2_000;

/** A process of a service, which is started again when it dies, as an orchestrator would. */
export class Replica {
  readonly healthUrl: string;
  readonly readyUrl: string;
  readonly metricsUrl: string;
  private readonly process: ServerProcess;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly kept: RestartedServer;

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
    this.environment = { ...plan.environment };
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
      startTimeoutMs: START_TIMEOUT_MS,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
    this.kept = new RestartedServer(
      this.lives(),
      (...trouble) => this.logTrouble(...trouble),
      SETTLED_AFTER_MS,
    );
  }

  /** Undefined while it is being started again. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  start(): Promise<void> {
    return this.kept.start();
  }

  stop(): Promise<void> {
    return this.kept.stop();
  }

  /** The process. Each restart gets the next crash point and is announced. */
  private lives(): Server {
    const { process: server, environment } = this;
    let isFirst = true;
    const start = async () => {
      if (isFirst) {
        isFirst = false;
        return server.start();
      }
      environment['CRASH_AT'] = laterCrashes(environment['CRASH_AT']);
      await server.start();
      this.onChange();
    };
    const { name } = server;
    return { name, start, stop: () => server.stop(), hasEnded: () => server.hasEnded() };
  }

  private logTrouble(sentence: string, error?: unknown): void {
    const { service, replica } = this.plan;
    this.logger.error({ service, replica, ...troubleFields(error) }, sentence);
    if (error === undefined) this.onChange();
  }
}
