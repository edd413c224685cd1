import { Module, type Provider } from '@nestjs/common';
import type { WebhooksCalls } from '@watchword/contracts';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveriesRpc } from './deliveries/deliveries.rpc.js';
import { EndpointCloser } from './deliveries/endpoint-closer.js';
import { RecoveryRpc } from './deliveries/recovery.rpc.js';
import { CLOSING, EndpointHandler } from './endpoints/endpoint.handler.js';
import { EndpointRpc } from './endpoints/endpoint.rpc.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { WebhookRpc } from './endpoints/webhook.rpc.js';
import { EventsModule } from './events/events.module.js';
import { EventsRpc } from './events/events.rpc.js';
import { TestEventRpc } from './events/test-event.rpc.js';

/** Injection token of the `WebhooksCalls` that this service answers. */
export const CALLS = Symbol('webhooks calls');

const parts = [
  EndpointRpc,
  WebhookRpc,
  TestEventRpc,
  EventsRpc,
  DeliveriesRpc,
  RecoveryRpc,
] as const;

const providers: Provider[] = [
  { provide: CLOSING, useExisting: EndpointCloser },
  EndpointHandler,
  ...parts,
  { provide: CALLS, useFactory: callsOf, inject: [...parts] },
];

/** What the service answers to the gateway. */
@Module({ imports: [EndpointsModule, DeliveriesModule, EventsModule], providers, exports: [CALLS] })
export class CallsModule {}

function callsOf(
  own: EndpointRpc,
  webhooks: WebhookRpc,
  samples: TestEventRpc,
  events: EventsRpc,
  deliveries: DeliveriesRpc,
  recoveries: RecoveryRpc,
): WebhooksCalls {
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
