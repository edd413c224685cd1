import type { INestMicroservice } from '@nestjs/common';
import type { NestMicroservice } from '@nestjs/microservices';
import type { TestingModule } from '@nestjs/testing';
import { type Bus, NO_IN_PROCESS_QUEUE } from '@watchword/bus';
import type { CallsOf, ServiceCalls } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { type Platform, ServiceTransport } from '@watchword/platform';
import type { Rpc } from '@watchword/rpc';
import { noDeadLetters } from './no-dead-letters.js';

/** A bus without messages. Batches come from the test. */
const silentBus: Bus = {
  subscribe: async () => ({ close: async () => undefined }),
  publish: () => Promise.reject(new Error('this service publishes through its queue')),
  close: async () => undefined,
};

/** Calls the handlers served before, without validation and deadlines. */
class DirectRpc implements Rpc {
  private readonly served = new Map<ServiceCalls, unknown>();

  serve<Declared extends ServiceCalls>(
    declared: Declared,
    implementation: CallsOf<Declared>,
  ): void {
    this.served.set(declared, implementation);
  }

  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared> {
    return this.served.get(declared) as CallsOf<Declared>;
  }
}

type Given = Pick<Platform, 'config' | 'database' | 'clock'> & Partial<Platform>;

/** What the host provides to a service, without a network. */
export function testPlatform(given: Given): Platform {
  return {
    bus: silentBus,
    rpc: new DirectRpc(),
    deadLetters: noDeadLetters(),
    inProcessQueue: NO_IN_PROCESS_QUEUE,
    logger: createLogger({ service: given.database.service, level: 'silent' }),
    graceMs: () => 4_000,
    showDependency: () => undefined,
    ...given,
  };
}

/** Starts the service as its host does: with jobs and consumers. */
export async function startService(module: TestingModule): Promise<INestMicroservice> {
  const application = microserviceOf(module);
  await application.listen();
  return application;
}

/** Connects calls and batches with the service's handlers. No job runs. */
export async function openTransport(module: TestingModule): Promise<void> {
  const application = microserviceOf(module);
  application.registerListeners();
  application.setIsInitialized(true);
  await application.listen();
}

type Microservice = INestMicroservice &
  Pick<NestMicroservice, 'registerListeners' | 'setIsInitialized'>;

function microserviceOf(module: TestingModule): Microservice {
  const strategy = module.get(ServiceTransport, { strict: false });
  return module.createNestMicroservice({ strategy }) as Microservice;
}
