import type { KafkaHost, ServerHost } from '@watchword/local-servers';
import { ContainerHost } from './container-host.js';
import type { Runtime } from './testcontainers.js';

/** The versions of docker-compose.yml, so that a trial cluster runs the deployed versions. */
export const IMAGES = { kafka: 'apache/kafka:4.1.1', redis: 'redis:7.2.5-bookworm' };
/** Where the image of Kafka has its jars. */
const KAFKA_FILES = { java: 'java', classPath: '/opt/kafka/libs/*' };

/**
 * A container engine of this machine, such as Docker. It is usable only where a container can use
 * this machine's network: not with an engine without root, nor one in its own virtual machine.
 */
export class ContainerEngine {
  private constructor(
    private readonly runtime: Runtime,
    private readonly say: (sentence: string) => void,
  ) {}

  /** Returns the engine that answers, if any. */
  static async find(
    say: (sentence: string) => void,
    findRuntime = findByTestcontainers,
  ): Promise<ContainerEngine | undefined> {
    const runtime = await findRuntime();
    if (runtime === undefined) return undefined;
    const reason = (await runtime.whyUnsuitable()) ?? (await whyNoReaper(runtime));
    if (reason === undefined) return new ContainerEngine(runtime, say);
    say(`The container engine is not used: ${reason}`);
    return undefined;
  }

  async kafka(): Promise<KafkaHost | undefined> {
    const host = await this.withImage(IMAGES.kafka);
    return host && Object.assign(host, KAFKA_FILES);
  }

  redis(): Promise<ServerHost | undefined> {
    return this.withImage(IMAGES.redis);
  }

  /** Pulls the image unless it is there. Returns undefined when that fails. */
  private async withImage(image: string): Promise<ContainerHost | undefined> {
    try {
      if (!(await this.runtime.hasImage(image))) {
        this.say(`Fetching the image ${image}; this once it takes a minute or two`);
        await this.runtime.fetchImage(image);
      }
      return new ContainerHost(this.runtime, image);
    } catch (error) {
      this.say(`No image ${image}, so this machine's own is used: ${firstLine(error)}`);
      return undefined;
    }
  }
}

/** Loads Testcontainers only where it is used. */
async function findByTestcontainers(): Promise<Runtime | undefined> {
  const { findRuntime } = await import('./testcontainers.js');
  return findRuntime();
}

async function whyNoReaper(runtime: Runtime): Promise<string | undefined> {
  return runtime.startReaper().then(() => undefined, firstLine);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!;
}
