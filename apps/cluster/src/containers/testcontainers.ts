/** Testcontainers takes half a second to load, so this file is imported only when used. */
import {
  type ContainerRuntimeClient,
  GenericContainer,
  getContainerRuntimeClient,
  getReaper,
  ImageName,
  Wait,
} from 'testcontainers';

/** Label by which a later start finds containers of an earlier one. */
const DIRECTORY_LABEL = 'watchword.directory';
const LOG_TAIL_LENGTH = 2_000;

export interface Program {
  image: string;
  command: string;
  args: readonly string[];
  /** The working directory, with the same path inside the container. */
  directory: string;
}

export class Runtime {
  constructor(private readonly client: ContainerRuntimeClient) {}

  async whyUnsuitable(): Promise<string | undefined> {
    const { OSType, OperatingSystem, SecurityOptions } =
      (await this.client.container.dockerode.info()) as Record<string, unknown>;
    if (process.platform !== 'linux' || OSType !== 'linux' || OperatingSystem === 'Docker Desktop')
      return 'its containers cannot have the network of this machine';
    if (String(SecurityOptions).includes('name=rootless'))
      return 'without root it cannot give containers the network of this machine';
    return undefined;
  }

  /**
   * Removes our containers if this process is killed. Started here, because two containers that
   * start together would each start one.
   */
  async startReaper(): Promise<void> {
    await getReaper(this.client);
  }

  hasImage(image: string): Promise<boolean> {
    return this.client.image.exists(ImageName.fromString(image));
  }

  fetchImage(image: string): Promise<void> {
    return this.client.image.pull(ImageName.fromString(image));
  }

  /** Runs a program to its end. */
  async run(program: Program): Promise<void> {
    const container = await prepare(program).withWaitStrategy(Wait.forOneShotStartup()).start();
    await container.stop();
  }

  async start(program: Program): Promise<RunningContainer> {
    const container = await prepare(program).start();
    const id = container.getId();
    return {
      hasEnded: () => this.hasEnded(id),
      logTail: async () => {
        const log = await this.client.container.getById(id).logs({ stdout: true, stderr: true });
        return log.toString('utf8').slice(-LOG_TAIL_LENGTH).trim();
      },
      stop: async (timeout) => {
        await container.stop({ timeout });
      },
    };
  }

  private async hasEnded(id: string): Promise<boolean> {
    try {
      return !(await this.client.container.getById(id).inspect()).State.Running;
    } catch (error) {
      // The container was removed.
      if ((error as { statusCode?: number }).statusCode === 404) return true;
      throw error;
    }
  }

  /** Removes containers that work in the directory, which only this cluster uses. */
  async removeFrom(directory: string): Promise<void> {
    const { container: containers } = this.client;
    for (;;) {
      const leftover = await containers.fetchByLabel(DIRECTORY_LABEL, directory);
      if (leftover === undefined) return;
      await leftover.remove({ force: true, v: true });
    }
  }
}

export interface RunningContainer {
  hasEnded(): Promise<boolean>;
  logTail(): Promise<string>;
  /** Asks it to end, kills it after the time-out, and removes it. */
  stop(timeoutMs: number): Promise<void>;
}

/** Returns the engine that `DOCKER_HOST` or the usual places name, if it answers. */
export async function findRuntime(): Promise<Runtime | undefined> {
  return getContainerRuntimeClient().then(
    (client) => new Runtime(client),
    () => undefined,
  );
}

/** Runs as the user of this process, which can then delete its files. */
function prepare({ image, command, args, directory }: Program): GenericContainer {
  return new GenericContainer(image)
    .withNetworkMode('host')
    .withUser(`${process.getuid?.()}:${process.getgid?.()}`)
    .withBindMounts([{ source: directory, target: directory }])
    .withWorkingDir(directory)
    .withEntrypoint([command])
    .withCommand([...args])
    .withLabels({ [DIRECTORY_LABEL]: directory });
}
