import { Module, type Provider } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ListEventsHandler } from './list-events.handler.js';
import { WebhooksHandler } from './webhooks.handler.js';
import { WorkspaceWebhookHandler } from './workspace-webhook.handler.js';

const providers: Provider[] = [ListEventsHandler, WebhooksHandler, WorkspaceWebhookHandler];

/** Webhooks and events, which the webhooks service keeps. */
@Module({ imports: [AccountsModule, CallsModule, LimitsModule], providers, exports: providers })
export class WebhookHandlersModule {}
