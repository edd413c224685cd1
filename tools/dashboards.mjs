/**
 * `node tools/dashboards.mjs`: the Grafana dashboards of helm/watchword/dashboards. `--check` fails where
 * they are behind.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../helm/watchword/dashboards/', import.meta.url);
const WIDTH = 12;
const HEIGHT = 8;

/** A panel: title, unit of Grafana, and what it shows by legend. */
const panel = (title, unit, queries) => ({ title, unit, queries });
const rate = (metric, by, extra = '') =>
  `sum by (${by}) (rate(${metric}${extra}[$__rate_interval]))`;
const quantile = (q, metric, by = '') =>
  `histogram_quantile(${q}, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`;
const quantiles = (metric) => ({
  p50: quantile(0.5, metric),
  p95: quantile(0.95, metric),
  p99: quantile(0.99, metric),
});

const dashboards = {
  product: [
    panel('Sends accepted', 'reqps', {
      '{{kind}} {{mode}}': rate('watchword_sends_total', 'kind, mode', '{result="accepted"}'),
    }),
    panel('Share of sends that fail with 5xx', 'percentunit', {
      failed: 'watchword:sends_failed:ratio_rate5m',
    }),
    panel('Requests by status', 'reqps', {
      '{{status}}': rate('watchword_requests_total', 'status'),
    }),
    panel('Sends refused because they would wait too long', 'reqps', {
      '{{reason}}': rate('watchword_sends_shed_total', 'reason'),
    }),
    panel('Errors by type', 'reqps', { '{{type}}': rate('watchword_refusals_total', 'type') }),
    panel('Messages by state', 'cps', {
      '{{kind}} {{state}}': rate('watchword_messages_total', 'kind, state'),
    }),
    panel('Failed messages by reason', 'cps', {
      '{{reason}}': rate('watchword_messages_total', 'reason', '{state="failed"}'),
    }),
    panel('Time to the carrier', 's', quantiles('watchword_time_to_carrier_seconds')),
    panel('Time to delivery', 's', quantiles('watchword_time_to_delivery_seconds')),
    panel('Dependencies that are down', 'none', {
      '{{job}} {{dependency}}': 'max by (job, dependency) (1 - watchword_dependency_up)',
    }),
  ],
  money: [
    panel('Charged sends', 'cps', {
      '{{kind}}': rate('watchword_sends_total', 'kind', '{mode="live", result="accepted"}'),
    }),
    panel('Refunds', 'cps', { '{{verdict}}': rate('watchword_refunds_total', 'verdict') }),
    panel('Failed messages that are refunded', 'cps', {
      failed:
        'sum(rate(watchword_messages_total{state="failed", reason!="max_attempts_exceeded"}[$__rate_interval]))',
      refunded: 'sum(rate(watchword_refunds_total{verdict="refunded"}[$__rate_interval]))',
    }),
    panel('Sends refused for want of credits', 'reqps', {
      refused: 'sum(rate(watchword_refusals_total{type="insufficient_credits"}[$__rate_interval]))',
    }),
    panel('Accounts that differ from their entries', 'none', {
      accounts: 'max(watchword_ledger_faults)',
    }),
  ],
  carriers: [
    panel('Attempts', 'cps', {
      '{{account}} {{outcome}}': rate('watchword_attempts_total', 'account, outcome'),
    }),
    panel('Share of attempts that fail by the fault of the carrier', 'percentunit', {
      '{{account}}':
        'sum by (account) (rate(watchword_attempts_total{outcome=~"failed|ambiguous|throttled"}[$__rate_interval])) / sum by (account) (rate(watchword_attempts_total[$__rate_interval]))',
    }),
    panel('Open circuits', 'none', {
      '{{account}}': 'max by (account) (watchword_carrier_circuit_open)',
    }),
    panel('Time of a call, p95', 's', {
      '{{provider}}': quantile(0.95, 'watchword_provider_submit_seconds', ', provider'),
    }),
    panel('Messages that await a receipt', 'none', {
      messages: 'max(watchword_messages_awaiting_receipt)',
    }),
    panel('Callbacks refused', 'cps', {
      '{{carrier}} {{cause}}': rate('watchword_callbacks_refused_total', 'carrier, cause'),
    }),
    panel('Messages in hand', 'none', { '{{instance}}': 'watchword_dispatch_in_hand' }),
  ],
  'queues-and-bus': [
    panel('Messages that wait', 'none', { '{{group}}': 'max by (group) (watchword_bus_waiting)' }),
    panel('Age of the oldest', 's', {
      '{{group}}': 'max by (group) (watchword_bus_oldest_waiting_seconds)',
    }),
    panel('Messages in the outboxes', 'none', {
      '{{service}}': 'max by (service) (watchword_outbox_waiting)',
    }),
    panel('Age of the oldest in the outboxes', 's', {
      '{{service}}': 'max by (service) (watchword_outbox_oldest_waiting_seconds)',
    }),
    panel('Dead letters held', 'none', {
      '{{topic}} {{group}}': 'max by (topic, group) (watchword_dead_letters_held)',
    }),
    panel('Dead letters, as they come', 'cps', {
      '{{topic}} {{group}}': rate('watchword_dead_letters_total', 'topic, group'),
    }),
    panel('Bus away', 'none', { '{{instance}}': 'watchword_bus_away' }),
  ],
  webhooks: [
    panel('Attempts', 'cps', {
      '{{result}}': rate('watchword_webhook_attempt_seconds_count', 'result'),
    }),
    panel('Time of an attempt', 's', quantiles('watchword_webhook_attempt_seconds')),
    panel(
      'Time from event to first attempt',
      's',
      quantiles('watchword_webhook_first_attempt_seconds'),
    ),
    panel('Share of webhooks that start late', 'percentunit', {
      late: 'watchword:webhooks_late:ratio_rate5m',
    }),
    panel('Deliveries due', 'none', { deliveries: 'max(watchword_webhook_deliveries_due)' }),
    panel('Age of the oldest due', 's', { oldest: 'max(watchword_webhook_oldest_due_seconds)' }),
  ],
};

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf({ title, unit, queries }, index) {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: {
      x: (index % 2) * WIDTH,
      y: Math.floor(index / 2) * HEIGHT,
      w: WIDTH,
      h: HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true } },
    targets: Object.entries(queries).map(([legendFormat, expr], position) => ({
      refId: String.fromCharCode(65 + position),
      datasource,
      expr,
      legendFormat,
    })),
  };
}

function dashboardOf(name, panels) {
  return {
    uid: `watchword-${name}`,
    title: `Watchword: ${name.replaceAll('-', ' ')}`,
    tags: ['watchword'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    annotations: { list: [] },
    panels: panels.map(panelOf),
  };
}

mkdirSync(folder, { recursive: true });
for (const [name, panels] of Object.entries(dashboards)) {
  const file = new URL(`${name}.json`, folder);
  const text = `${JSON.stringify(dashboardOf(name, panels), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name}.json is behind: node tools/dashboards.mjs`);
    process.exitCode = 1;
  }
}
