/** What the four services show to Prometheus: issue 4 section 1 items 6 and 7. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import '@watchword/host';
import { declaredMetrics, metricsReference } from '@watchword/observability';
import { installation } from '../src/services.js';

const root = join(import.meta.dirname, '../../..');

/** Without those that specs of the metrics declare. */
const ofServices = () => declaredMetrics().filter(({ name }) => !name.startsWith('test_'));

describe('the metrics of the services', () => {
  it('docs/reference/metrics.md is in step with them', () => {
    // When this fails, run `npm run docs`.
    expect(installation.definitions).toHaveLength(4);
    const page = readFileSync(join(root, 'docs/reference/metrics.md'), 'utf8');
    expect(page).toBe(metricsReference(ofServices()));
  });

  it('are sends, refusals, providers, queues, lag, refunds and webhooks', () => {
    expect(ofServices().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'watchword_sends_total',
        'watchword_refusals_total',
        'watchword_provider_submit_seconds',
        'watchword_dispatch_in_hand',
        'watchword_bus_waiting',
        'watchword_bus_unavailable',
        'watchword_message_queue_oldest_waiting_seconds',
        'watchword_webhook_oldest_due_seconds',
        'watchword_refunds_total',
        'watchword_webhook_attempt_seconds',
      ]),
    );
  });

  it('are few: fewer than a hundred series of each', () => {
    for (const { name, labels } of ofServices()) {
      const series = Object.values(labels).reduce(
        (product, { length }) => product * (length + 1),
        1,
      );
      expect(`${name}: ${series < 100}`).toBe(`${name}: true`);
      expect(name).toMatch(/^watchword_[a-z_]+$/);
    }
  });
});
