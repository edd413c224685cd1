import {
  type BillingCalls,
  type Clock,
  type DispatchCalls,
  SmsBatchItem,
} from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { PriceListCache } from './billing/price-list.cache.js';
import { compileBody } from './edge/pipes/validation.policy.js';
import { FindMessageHandler } from './messages/find-message.handler.js';
import type { InFlightKeys } from './messages/in-flight-keys.js';
import { CancelSmsHandler } from './messages/sms/cancel-sms.handler.js';
import type { ComposeSms } from './messages/sms/compose-sms.js';
import { SendBatchHandler } from './messages/sms/send-batch.handler.js';
import type { DestinationChecks } from './registrations/destination-checks.js';
import { DndHandler } from './registrations/dnd.handler.js';
import { SendersHandler } from './registrations/senders.handler.js';
import { SuppressionsHandler } from './registrations/suppressions.handler.js';
import { TemplatesHandler } from './registrations/templates.handler.js';

interface Ground {
  readonly billing: BillingCalls;
  readonly dispatch: DispatchCalls;
  readonly limiter: RateLimiter;
  readonly inFlight: InFlightKeys;
  readonly compose: ComposeSms;
  readonly checks: DestinationChecks;
  readonly prices: PriceListCache;
  readonly clock: Clock;
}

/** The handlers of variant B's SMS and of registrations. */
export function registrationParts(ground: Ground): [token: unknown, part: object][] {
  const { billing, dispatch, inFlight, prices, clock } = ground;
  const messages = new FindMessageHandler(dispatch, billing);
  const readItem = compileBody(SmsBatchItem);
  return [
    [SendBatchHandler, new SendBatchHandler({ ...ground, readItem, nowMs: () => clock.now() })],
    [CancelSmsHandler, new CancelSmsHandler(dispatch, messages, prices, inFlight, clock)],
    [TemplatesHandler, new TemplatesHandler(dispatch)],
    [SendersHandler, new SendersHandler(dispatch, billing)],
    [SuppressionsHandler, new SuppressionsHandler(dispatch)],
    [DndHandler, new DndHandler(dispatch)],
  ];
}
