import { Module, type Provider } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { DISABLED } from '../deliveries/disabled.js';
import { DisabledEndpointsJob } from './disabled-endpoints.job.js';
import { EndTrialsHandler } from './end-trials.handler.js';
import { EraseEventsHandler } from './erase-events.handler.js';
import { EventErasureStore } from './event-erasure.store.js';
import { EventListStore } from './event-list.store.js';
import { FanOutConsumer } from './fan-out.consumer.js';
import { FanOutHandler } from './fan-out.handler.js';
import { FanOutStore } from './fan-out.store.js';
import { FirstTestStore } from './first-test.store.js';
import { NoticeStore } from './notice.store.js';
import { EventRetentionJob } from './retention.job.js';
import { EventRetentionStore } from './retention.store.js';

const providers: Provider[] = [
  FanOutStore,
  FanOutHandler,
  NoticeStore,
  DisabledEndpointsJob,
  { provide: DISABLED, useExisting: DisabledEndpointsJob },
  EventRetentionStore,
  EventRetentionJob,
  EventListStore,
  EventErasureStore,
  EraseEventsHandler,
  FirstTestStore,
  EndTrialsHandler,
];

/** Events of workspaces and the endpoints that they go to. */
@Module({
  controllers: [FanOutConsumer],
  imports: [DeliveriesModule, EndpointsModule],
  providers,
  exports: providers,
})
export class EventsModule {}
