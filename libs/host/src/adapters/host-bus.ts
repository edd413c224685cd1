import {
  NO_HAND_OVER,
  openKafkaBus,
  OutboxFallbackBus,
  OutboxRelay,
  PostgresBus,
} from '@watchword/bus';
import type { Bus, DeadLetterOffice, HandOver, LagReading, OutboxBacklog } from '@watchword/bus';
import type { Config } from '@watchword/config';
import { ALL_TOPICS, type ServiceName, TOPICS } from '@watchword/contracts';
import { isTracing, type Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';
import type { DatabaseAccess } from '../database/service-databases.js';
import { kafkaConnectionOf } from './kafka-connection.js';
import { tracedBus, tracedTarget } from '../tracing/traced-bus.js';

/** The bus of a process: its database's, or Kafka where brokers are set. */
export interface HostBus {
  bus: Bus;
  deadLetters: DeadLetterOffice;
  /** How messages committed by a service reach consumers in this process. */
  handOverOf(service: ServiceName): HandOver;
  /** Returns the lag of the consumers. */
  lag(): Promise<LagReading[]>;
  /** Returns the backlogs of the outboxes that a relay carries elsewhere. */
  backlogs(): Promise<OutboxBacklog[]>;
  /** Rejects when messages do not get through now. */
  look(): Promise<void>;
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
    straight: [TOPICS.deliveryReports],
  });
  return {
    bus,
    deadLetters: bus,
    handOverOf: (service) => bus.handOverOf(service),
    lag: () => bus.lag(),
    backlogs: async () => [],
    look: () => bus.look(),
    close: () => bus.close(),
  };
}

/**
 * Opens Kafka. A relay per service carries its outbox to Kafka, with what the service publishes
 * while Kafka is unavailable.
 */
async function openKafka(options: HostBusOptions): Promise<HostBus> {
  const { config, access, services, logger, onFailure } = options;
  const clientId = `watchword-${services.map(({ name }) => name).join('-')}`;
  const connection = { ...kafkaConnectionOf(config), clientId, logger };
  const kafka = await openKafkaBus({ ...connection, onTopicsDisagree: onFailure });
  const publishers = services.filter(({ name }) => ALL_TOPICS.some(({ owner }) => owner === name));
  const relays = await Promise.all(
    publishers.map(({ name: service }) =>
      OutboxRelay.open({
        service,
        url: access.urlOf(service),
        topics: ALL_TOPICS,
        target: isTracing() ? tracedTarget(kafka) : kafka,
        logger,
      }),
    ),
  );
  return {
    bus: new OutboxFallbackBus(kafka, relays, logger),
    deadLetters: kafka,
    handOverOf: (service) =>
      relays.find((relay) => relay.service === service)?.handOver ?? NO_HAND_OVER,
    lag: () => kafka.lag(),
    backlogs: () => Promise.all(relays.map((relay) => relay.backlog())),
    look: () => kafka.look(),
    async close() {
      await Promise.all(relays.map((relay) => relay.close()));
      await kafka.close();
    },
  };
}
