import {
  type BillingCalls,
  type Clock,
  type DispatchCalls,
  SmsBatchItem,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { RateLimiter } from '@watchword/rate-limit';
import type { ProtectedSenderIds } from './accounts/sender-ids/protected-sender-ids.js';
import type { PriceListCache } from './billing/price-list.cache.js';
import { compileBody } from './edge/pipes/validation.policy.js';
import type { PlatformSettingsHolder } from './limits/platform-settings.js';
import type { PrefixGuard } from './limits/prefix-guard.js';
import { TrialWorkspaces } from './limits/trial-workspaces.js';
import { AcceptSendHandler } from './messages/accept-send.handler.js';
import { CountryWatch } from './messages/country-watch.js';
import { FindMessageHandler } from './messages/find-message.handler.js';
import type { InFlightKeys } from './messages/in-flight-keys.js';
import { ListMessagesHandler } from './messages/list-messages.handler.js';
import { CancelOtpHandler } from './messages/otp/cancel-otp.handler.js';
import { OtpDestinations } from './messages/otp/otp-destinations.js';
import { ResendOtpHandler } from './messages/otp/resend-otp.handler.js';
import { SendOtpHandler } from './messages/otp/send-otp.handler.js';
import { VerifyOtpHandler } from './messages/otp/verify-otp.handler.js';
import { QuoteHandler } from './messages/quotes/quote.handler.js';
import { RecentSends } from './messages/recent-sends.js';
import { SearchMessagesHandler } from './messages/search-messages.handler.js';
import { CancelSmsHandler } from './messages/sms/cancel-sms.handler.js';
import { ComposeSms } from './messages/sms/compose-sms.js';
import { SendBatchHandler } from './messages/sms/send-batch.handler.js';
import { SendSmsHandler } from './messages/sms/send-sms.handler.js';
import { DestinationChecks } from './registrations/destination-checks.js';
import { DndHandler } from './registrations/dnd.handler.js';
import { SendersHandler } from './registrations/senders.handler.js';
import { SuppressionsHandler } from './registrations/suppressions.handler.js';
import { TemplatesHandler } from './registrations/templates.handler.js';

interface Ground {
  readonly billing: BillingCalls;
  readonly dispatch: DispatchCalls;
  readonly limiter: RateLimiter;
  readonly inFlight: InFlightKeys;
  readonly prefixes: PrefixGuard;
  readonly prices: PriceListCache;
  readonly settings: PlatformSettingsHolder;
  readonly senderIds: ProtectedSenderIds;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Parts = [token: unknown, part: object][];

/** What sends, reads and cancels messages, and what workspaces register for them. */
export function messageParts(ground: Ground): Parts {
  const { billing, dispatch, limiter, inFlight, prefixes, prices, clock, logger } = ground;
  const acceptance = new AcceptSendHandler(billing, limiter, inFlight);
  const countries = new CountryWatch(logger, clock);
  const trials = new TrialWorkspaces(billing, clock);
  const otps = new OtpDestinations(dispatch, billing);
  const sendOtp = new SendOtpHandler(acceptance, countries, prefixes, trials, otps);
  const recent = new RecentSends(billing, dispatch, clock);
  const { settings, senderIds } = ground;
  const checks = new DestinationChecks(dispatch, settings, senderIds, clock, logger);
  const asking = { billing, dispatch, limiter, inFlight, clock };
  const quoting = { ...asking, prefixes, otps: sendOtp, trials, checks };
  const compose = new ComposeSms({ checks, countries, prefixes, trials, clock });
  return [
    [FindMessageHandler, new FindMessageHandler(dispatch, billing)],
    [ListMessagesHandler, new ListMessagesHandler(dispatch, prices, recent)],
    [SearchMessagesHandler, new SearchMessagesHandler(dispatch, prices)],
    [SendOtpHandler, sendOtp],
    [QuoteHandler, new QuoteHandler(quoting)],
    [VerifyOtpHandler, new VerifyOtpHandler(dispatch, otps, limiter, inFlight, clock)],
    [CancelOtpHandler, new CancelOtpHandler(dispatch, otps, inFlight, clock)],
    [
      ResendOtpHandler,
      new ResendOtpHandler(acceptance, dispatch, otps, countries, prefixes, trials, clock),
    ],
    [SendSmsHandler, new SendSmsHandler(acceptance, compose, checks, dispatch)],
    ...smsParts(ground, compose, checks),
    ...registrationParts(ground),
  ];
}

function smsParts(ground: Ground, compose: ComposeSms, checks: DestinationChecks): Parts {
  const { billing, dispatch, inFlight, prices, clock } = ground;
  const messages = new FindMessageHandler(dispatch, billing);
  const readItem = compileBody(SmsBatchItem);
  const batching = { ...ground, compose, checks, readItem, nowMs: () => clock.now() };
  return [
    [SendBatchHandler, new SendBatchHandler(batching)],
    [CancelSmsHandler, new CancelSmsHandler(dispatch, messages, prices, inFlight, clock)],
  ];
}

function registrationParts({ billing, dispatch }: Ground): Parts {
  return [
    [TemplatesHandler, new TemplatesHandler(dispatch)],
    [SendersHandler, new SendersHandler(dispatch, billing)],
    [SuppressionsHandler, new SuppressionsHandler(dispatch)],
    [DndHandler, new DndHandler(dispatch)],
  ];
}
