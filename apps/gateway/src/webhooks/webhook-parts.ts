import type { BillingCalls, Clock, WebhooksCalls } from '@watchword/contracts';
import { ListEventsHandler } from './list-events.handler.js';
import { type InFlight, WebhooksHandler } from './webhooks.handler.js';
import { WorkspaceWebhookHandler } from './workspace-webhook.handler.js';

export interface WebhookGround {
  readonly billing: Pick<BillingCalls, 'getAccount'>;
  readonly inFlight: InFlight;
  readonly clock: Clock;
}

/** Handlers of webhooks and events, each under its class. */
export function webhookParts(
  webhooks: WebhooksCalls,
  { billing, inFlight, clock }: WebhookGround,
): [token: unknown, part: object][] {
  return [
    [ListEventsHandler, new ListEventsHandler(webhooks)],
    [WorkspaceWebhookHandler, new WorkspaceWebhookHandler(webhooks, billing)],
    [WebhooksHandler, new WebhooksHandler(webhooks, inFlight, clock)],
  ];
}
