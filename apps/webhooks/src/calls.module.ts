import { Module } from '@nestjs/common';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveriesRpc } from './deliveries/deliveries.rpc.js';
import { EndpointCloser } from './deliveries/endpoint-closer.js';
import { PendingDeliveriesHandler } from './deliveries/pending-deliveries.handler.js';
import { RecoveryRpc } from './deliveries/recovery.rpc.js';
import { CLOSING, EndpointHandler, HELD } from './endpoints/endpoint.handler.js';
import { EndpointRpc } from './endpoints/endpoint.rpc.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { WebhookRpc } from './endpoints/webhook.rpc.js';
import { EventErasureRpc } from './events/event-erasure.rpc.js';
import { EventsModule } from './events/events.module.js';
import { EventsRpc } from './events/events.rpc.js';
import { TestEventRpc } from './events/test-event.rpc.js';

/** Calls that the service answers to the gateway. */
@Module({
  imports: [EndpointsModule, DeliveriesModule, EventsModule],
  controllers: [
    EndpointRpc,
    WebhookRpc,
    TestEventRpc,
    EventsRpc,
    EventErasureRpc,
    DeliveriesRpc,
    RecoveryRpc,
  ],
  providers: [
    { provide: CLOSING, useExisting: EndpointCloser },
    { provide: HELD, useExisting: PendingDeliveriesHandler },
    EndpointHandler,
  ],
})
export class WebhooksCallsModule {}
