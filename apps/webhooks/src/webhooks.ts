import type { Clock, WebhooksCalls } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { KeyRing } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import type { WebhookPoster } from './deliveries/attempt.handler.js';
import { ClosingStore } from './deliveries/closing.store.js';
import { DeliveriesRpc } from './deliveries/deliveries.rpc.js';
import { DeliveryScheduler } from './deliveries/delivery.scheduler.js';
import { DeliveryListStore } from './deliveries/delivery-list.store.js';
import { DeliveryStore } from './deliveries/delivery.store.js';
import { EndpointCloser } from './deliveries/endpoint-closer.js';
import { RecoveryJob } from './deliveries/recovery.job.js';
import { RecoveryRpc } from './deliveries/recovery.rpc.js';
import { RecoveryProgressStore } from './deliveries/recovery.store.js';
import { EndpointHandler } from './endpoints/endpoint.handler.js';
import { EndpointRpc } from './endpoints/endpoint.rpc.js';
import { EndpointStore } from './endpoints/endpoint.store.js';
import { KeyedEffects } from './endpoints/keyed-effects.js';
import { ReceiverCache } from './endpoints/receiver.cache.js';
import { WebhookRpc } from './endpoints/webhook.rpc.js';
import { DisabledEndpointsJob } from './events/disabled-endpoints.job.js';
import { EventListStore } from './events/event-list.store.js';
import { EventsRpc } from './events/events.rpc.js';
import { FanOutHandler } from './events/fan-out.handler.js';
import { FanOutStore } from './events/fan-out.store.js';
import { NoticeStore } from './events/notice.store.js';
import { RetentionJob } from './events/retention.job.js';
import { RetentionStore } from './events/retention.store.js';
import { TestEventRpc } from './events/test-event.rpc.js';

/** Of the key under which webhook secrets are encrypted. */
export const SECRET_PURPOSE = 'watchword/webhook-secret';

export interface WebhooksOptions {
  pool: DatabasePool;
  clock: Clock;
  logger: Logger;
  poster: WebhookPoster;
  encryptionKeys: readonly string[];
  allowLoopback: boolean;
}

/** The parts of the service, wired, and standing still. */
export interface Webhooks {
  calls: WebhooksCalls;
  fanOut: FanOutHandler;
  scheduler: DeliveryScheduler;
  disabled: DisabledEndpointsJob;
  recovery: RecoveryJob;
  retention: RetentionJob;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { pool, clock, logger, poster } = options;
  const { patient } = pool;
  const cipher = new KeyRing(options.encryptionKeys, SECRET_PURPOSE);
  const receivers = new ReceiverCache(new EndpointStore(patient, cipher), logger);
  const scheduler = new DeliveryScheduler(
    new DeliveryStore(patient),
    receivers,
    poster,
    () => disabled.wake(),
    clock,
    logger,
  );
  const fanOut = new FanOutHandler(new FanOutStore(patient), scheduler, clock);
  const closer = new EndpointCloser(new ClosingStore(patient));
  const disabled = new DisabledEndpointsJob(new NoticeStore(patient), closer, fanOut, logger);
  return {
    calls: createCalls(options, { cipher, scheduler, fanOut, closer }),
    fanOut,
    scheduler,
    disabled,
    recovery: new RecoveryJob(new RecoveryProgressStore(patient), scheduler, clock, logger),
    retention: new RetentionJob(new RetentionStore(patient), clock, logger),
  };
}

interface Parts {
  cipher: KeyRing;
  scheduler: DeliveryScheduler;
  fanOut: FanOutHandler;
  closer: EndpointCloser;
}

function createCalls(
  { pool, clock, poster, allowLoopback }: WebhooksOptions,
  { cipher, scheduler, fanOut, closer }: Parts,
): WebhooksCalls {
  const endpoints = new EndpointStore(pool, cipher);
  const effects = new KeyedEffects(pool, cipher);
  const own = new EndpointRpc(new EndpointHandler(endpoints, closer, clock, allowLoopback));
  const webhooks = new WebhookRpc(endpoints, effects, closer, clock, allowLoopback);
  const samples = new TestEventRpc(endpoints, fanOut, poster, effects, clock);
  const events = new EventsRpc(new EventListStore(pool), clock);
  const lists = new DeliveryListStore(pool);
  const deliveries = new DeliveriesRpc(lists, endpoints, effects, scheduler, clock);
  const recoveries = new RecoveryRpc(pool, endpoints, effects, clock);
  return {
    putWorkspaceEndpoint: own.putWorkspaceEndpoint,
    getWorkspaceEndpoint: own.getWorkspaceEndpoint,
    deleteWorkspaceEndpoint: own.deleteWorkspaceEndpoint,
    rotateWorkspaceSecret: own.rotateWorkspaceSecret,
    sendTestEvent: samples.sendTestEvent,
    listEvents: events.listEvents,
    createWebhook: webhooks.createWebhook,
    listWebhooks: webhooks.listWebhooks,
    getWebhook: webhooks.getWebhook,
    updateWebhook: webhooks.updateWebhook,
    deleteWebhook: webhooks.deleteWebhook,
    rotateWebhookSecret: webhooks.rotateWebhookSecret,
    testWebhook: samples.testWebhook,
    listWebhookDeliveries: deliveries.listWebhookDeliveries,
    replayWebhookDelivery: deliveries.replayWebhookDelivery,
    recoverWebhook: recoveries.recoverWebhook,
    getWebhookRecovery: recoveries.getWebhookRecovery,
    listDeliveries: deliveries.listDeliveries,
  };
}
