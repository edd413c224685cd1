import type { Clock, WebhooksCalls } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { DatabasePool } from '@watchword/postgres';
import { DeliverHandler, type WebhookPoster } from './deliveries/deliver.handler.js';
import { DeliveriesRpc } from './deliveries/deliveries.rpc.js';
import { DeliveryJob } from './deliveries/delivery.job.js';
import { DeliveryListStore } from './deliveries/delivery-list.store.js';
import { DeliveryStore } from './deliveries/delivery.store.js';
import { EndpointHandler } from './endpoints/endpoint.handler.js';
import { EndpointRpc } from './endpoints/endpoint.rpc.js';
import { EndpointStore } from './endpoints/endpoint.store.js';
import { ReceiverCache } from './endpoints/receiver.cache.js';
import { SecretCipher } from './endpoints/secret-cipher.js';
import { EventListStore } from './events/event-list.store.js';
import { EventsRpc } from './events/events.rpc.js';
import { RetentionJob } from './events/retention.job.js';
import { RetentionStore } from './events/retention.store.js';
import { FanOutHandler } from './fan-out/fan-out.handler.js';
import { FanOutStore } from './fan-out/fan-out.store.js';
import { TestEventRpc } from './test-events/test-event.rpc.js';
import { TestEventStore } from './test-events/test-event.store.js';

export interface WebhooksOptions {
  pool: DatabasePool;
  clock: Clock;
  logger: Logger;
  poster: WebhookPoster;
  encryptionKey: string;
  allowLoopback: boolean;
}

/** The parts of the service, wired, and standing still. */
export interface Webhooks {
  calls: WebhooksCalls;
  fanOut: FanOutHandler;
  sender: DeliverHandler;
  job: DeliveryJob;
  retention: RetentionJob;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { pool, clock, logger } = options;
  const { patient } = pool;
  const cipher = new SecretCipher(options.encryptionKey);
  const endpoints = new EndpointStore(pool, cipher);
  const store = new DeliveryStore(patient);
  const receivers = new ReceiverCache(new EndpointStore(patient, cipher));
  const sender = new DeliverHandler(store, receivers, options.poster, clock, logger);
  const endpointRpc = new EndpointRpc(new EndpointHandler(endpoints, clock, options.allowLoopback));
  const testEvents = new TestEventRpc(endpoints, new TestEventStore(pool), sender, clock);
  const events = new EventsRpc(new EventListStore(pool), clock);
  const deliveriesRpc = new DeliveriesRpc(new DeliveryListStore(pool));
  return {
    calls: {
      putWorkspaceEndpoint: endpointRpc.putWorkspaceEndpoint,
      getWorkspaceEndpoint: endpointRpc.getWorkspaceEndpoint,
      deleteWorkspaceEndpoint: endpointRpc.deleteWorkspaceEndpoint,
      rotateWorkspaceSecret: endpointRpc.rotateWorkspaceSecret,
      sendTestEvent: testEvents.sendTestEvent,
      listEvents: events.listEvents,
      listDeliveries: deliveriesRpc.listDeliveries,
    },
    fanOut: new FanOutHandler(new FanOutStore(patient), sender, clock),
    sender,
    job: new DeliveryJob(store, sender, clock, logger),
    retention: new RetentionJob(new RetentionStore(patient), clock, logger),
  };
}
