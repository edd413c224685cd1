import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  TRIAL_WEBHOOKS_MAX,
  WEBHOOKS_MAX,
} from '@watchword/contracts';
import { problemOfUrl } from './endpoint-url.policy.js';
import { problemOfEvents } from './events.policy.js';

interface WantedEndpoint {
  readonly url: string | undefined;
  /** Null means the default ones. */
  readonly events: readonly string[] | null | undefined;
}

/** Refuses a URL or events that an endpoint of the variant cannot have. */
export function checkEndpoint(
  { url, events }: WantedEndpoint,
  variant: 'a' | 'b',
  allowLoopback: boolean,
): void {
  const urlProblem = url === undefined ? null : problemOfUrl(url, allowLoopback);
  if (urlProblem !== null) throw refusedInput('url', urlProblem);
  const eventsProblem = events ? problemOfEvents(events, variant) : null;
  if (eventsProblem !== null) throw refusedInput('events', eventsProblem);
}

export function refusedInput(field: 'url' | 'events' | 'type', message: ErrorText): ApiError {
  return new ApiError('validation_error', { field, message });
}

export function tooManyWebhooks(isTrial: boolean): ApiError {
  const message = isTrial
    ? ERROR_MESSAGES.tooManyTrialWebhooks(TRIAL_WEBHOOKS_MAX)
    : ERROR_MESSAGES.tooManyWebhooks(WEBHOOKS_MAX);
  return new ApiError('conflict', { message });
}

export function noWebhook(): ApiError {
  return new ApiError('not_found', { message: ERROR_MESSAGES.noWebhook });
}
