import { counter } from '@watchword/observability';

export const countRefund = counter('watchword_refunds_total', 'Refunds that were asked for.', {
  verdict: ['refunded', 'already_refunded', 'uncharged'],
});
