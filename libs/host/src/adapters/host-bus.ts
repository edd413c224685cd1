import { NO_IN_PROCESS_QUEUE, openKafkaBus, QueueRelay, PostgresBus } from '@watchword/bus';
import type {
  Bus,
  DeadLetterOffice,
  InProcessQueue,
  LagReading,
  QueueBacklog,
} from '@watchword/bus';
import type { Config } from '@watchword/config';
import { ALL_TOPICS, type ServiceName, TOPICS } from '@watchword/contracts';
import { isTracing, type Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';
import type { DatabaseAccess } from '../database/service-databases.js';
import { kafkaConnectionOf } from './kafka-connection.js';
import { tracedBus } from '../tracing/traced-bus.js';

/** The bus of a process: its database's, or Kafka where brokers are set. */
export interface HostBus {
  bus: Bus;
  deadLetters: DeadLetterOffice;
  /** How messages committed by a service reach consumers in this process. */
  inProcessQueueOf(service: ServiceName): InProcessQueue;
  /** Returns the lag of the consumers. */
  lag(): Promise<LagReading[]>;
  /** Returns the backlogs of the queues that a relay carries elsewhere. */
  backlogs(): Promise<QueueBacklog[]>;
  /** Rejects when messages do not get through now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface HostBusOptions {
  config: Config;
  access: DatabaseAccess;
  /** The services of this process. */
  services: readonly ServiceDefinition[];
  logger: Logger;
  onFailure: (error: Error) => void;
}

export async function openBus(options: HostBusOptions): Promise<HostBus> {
  const isInPostgres = options.config.kafkaBrokers.length === 0;
  const opened = await (isInPostgres ? openInPostgres(options) : openKafka(options));
  return isTracing() ? { ...opened, bus: tracedBus(opened.bus) } : opened;
}

async function openInPostgres({ access, logger }: HostBusOptions): Promise<HostBus> {
  const bus = await PostgresBus.open({
    url: access.urlOf('bus'),
    logger,
    direct: [TOPICS.deliveryReports],
  });
  return {
    bus,
    deadLetters: bus,
    inProcessQueueOf: (service) => bus.inProcessQueueOf(service),
    lag: () => bus.lag(),
    backlogs: async () => [],
    check: () => bus.check(),
    close: () => bus.close(),
  };
}

/** Opens Kafka. The relay of a service carries its queue there: all that the service publishes. */
async function openKafka(options: HostBusOptions): Promise<HostBus> {
  const { config, access, services, logger, onFailure } = options;
  const clientId = `watchword-${services.map(({ name }) => name).join('-')}`;
  const connection = { ...kafkaConnectionOf(config), clientId, logger };
  const kafka = await openKafkaBus({ ...connection, onTopicsDisagree: onFailure });
  const publishers = services.filter(({ name }) => ALL_TOPICS.some(({ owner }) => owner === name));
  const target = isTracing() ? tracedBus(kafka) : kafka;
  const relays = new Map<ServiceName, QueueRelay>();
  for (const { name: service } of publishers) {
    const url = access.urlOf(service);
    const relay = await QueueRelay.open({ service, url, topics: ALL_TOPICS, target, logger });
    relays.set(service, relay);
  }
  return {
    bus: {
      publish: async (topic, messages) => relays.get(topic.owner)!.write(topic, messages),
      subscribe: (topic, subscription, handle) => kafka.subscribe(topic, subscription, handle),
      close: () => kafka.close(),
    },
    deadLetters: kafka,
    inProcessQueueOf: (service) => relays.get(service)?.inProcessQueue ?? NO_IN_PROCESS_QUEUE,
    lag: () => kafka.lag(),
    backlogs: () => Promise.all([...relays.values()].map((relay) => relay.backlog())),
    check: () => kafka.check(),
    async close() {
      await Promise.all([...relays.values()].map((relay) => relay.close()));
      await kafka.close();
    },
  };
}
