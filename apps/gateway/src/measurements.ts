import { ERROR_CATALOGUE } from '@watchword/contracts';
import { counter, gauge } from '@watchword/observability';

export const countSend = counter('watchword_sends_total', 'Sends that were accepted.', {
  kind: ['otp', 'sms'],
  mode: ['live', 'test'],
  result: ['accepted', 'replayed'],
});

export const countRefusal = counter(
  'watchword_refusals_total',
  'Requests that were answered with an error, by its type.',
  { type: Object.keys(ERROR_CATALOGUE) },
);

const limitsAway = gauge(
  'watchword_limits_counted_alone',
  'Whether this gateway counts limits without the others, because Redis is away.',
);

export function noteLimitsAway(isAway: boolean): void {
  limitsAway({}, isAway ? 1 : 0);
}
