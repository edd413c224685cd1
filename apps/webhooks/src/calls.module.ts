import { Module } from '@nestjs/common';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { EndpointCloser } from './deliveries/endpoint-closer.js';
import { PendingDeliveriesHandler } from './deliveries/pending-deliveries.handler.js';
import { RecoveryController } from './deliveries/recovery.controller.js';
import { CLOSING, EndpointHandler, HELD } from './endpoints/endpoint.handler.js';
import { WorkspaceWebhookController } from './endpoints/workspace-webhook.controller.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { EventErasureRpc } from './events/event-erasure.rpc.js';
import { EventsModule } from './events/events.module.js';
import { EventsController } from './events/events.controller.js';
import { TestEventController } from './events/test-event.controller.js';

/** The service's routes, and its calls of the gateway. */
@Module({
  imports: [EndpointsModule, DeliveriesModule, EventsModule],
  controllers: [
    WorkspaceWebhookController,
    WebhooksController,
    TestEventController,
    EventsController,
    EventErasureRpc,
    DeliveriesController,
    RecoveryController,
  ],
  providers: [
    { provide: CLOSING, useExisting: EndpointCloser },
    { provide: HELD, useExisting: PendingDeliveriesHandler },
    EndpointHandler,
  ],
})
export class WebhooksCallsModule {}
