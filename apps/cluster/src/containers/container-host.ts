import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerDoesNotStart } from '@watchword/local-servers';
import type { Server, ServerHost, ServerProcessOptions } from '@watchword/local-servers';
import type { RunningContainer, Runtime } from './testcontainers.js';

const START_TIMEOUT_DEFAULT_MS = 30_000;
const STOP_TIMEOUT_DEFAULT_MS = 5_000;

/** Programs of one image, in containers. */
export class ContainerHost implements ServerHost {
  constructor(
    private readonly runtime: Runtime,
    private readonly image: string,
  ) {}

  async run(command: string, args: readonly string[], directory: string): Promise<void> {
    await this.runtime.run({ image: this.image, command, args, directory: await own(directory) });
  }

  server(options: ServerProcessOptions): Server {
    return new ServerContainer(this.runtime, this.image, options);
  }
}

/** A server in a container. If its owner is killed, Testcontainers' reaper removes it. */
class ServerContainer implements Server {
  private container: RunningContainer | undefined;

  constructor(
    private readonly runtime: Runtime,
    private readonly image: string,
    private readonly options: ServerProcessOptions,
  ) {}

  get name(): string {
    return this.options.name;
  }

  async hasEnded(): Promise<boolean> {
    return this.container?.hasEnded() ?? true;
  }

  async start(): Promise<void> {
    const { command, args } = this.options;
    const directory = await own(this.options.directory);
    await this.runtime.removeFrom(directory);
    this.container = await this.runtime.start({ image: this.image, command, args, directory });
    await this.untilReady(this.container);
  }

  async stop(): Promise<void> {
    await this.container?.stop(this.options.stopTimeoutMs ?? STOP_TIMEOUT_DEFAULT_MS);
    this.container = undefined;
  }

  private async untilReady(container: RunningContainer): Promise<void> {
    const { name, isReady, startTimeoutMs = START_TIMEOUT_DEFAULT_MS } = this.options;
    const deadline = performance.now() + startTimeoutMs;
    while (!(await isReady())) {
      if (performance.now() > deadline || (await container.hasEnded())) {
        const said = (await container.logTail()) || 'it said nothing';
        await this.stop();
        throw new ServerDoesNotStart(
          `${name} does not start in a container of ${this.image}: ${said}`,
        );
      }
      await sleep(50);
    }
  }
}

/** Created here, because the engine would create it as root. */
async function own(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  return realpath(directory);
}
