import { Module, type Provider } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PeopleModule } from '../people/people.module.js';
import { EventStreams } from './event-streams.js';
import { ListEventsHandler } from './list-events.handler.js';
import { WebhooksHandler } from './webhooks.handler.js';
import { WorkspaceWebhookHandler } from './workspace-webhook.handler.js';

const providers: Provider[] = [
  EventStreams,
  ListEventsHandler,
  WebhooksHandler,
  WorkspaceWebhookHandler,
];

/** Webhooks and events, which the webhooks service keeps. */
@Module({
  imports: [AccountsModule, CallsModule, LimitsModule, PeopleModule],
  providers,
  exports: providers,
})
export class WebhookHandlersModule {}
