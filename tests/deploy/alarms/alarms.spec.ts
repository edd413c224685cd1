/** Alarms, their runbooks and the dashboards against the metrics and routes of the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import '@watchword/host';
import { EMAIL_FAILURE_REASONS, REASONS, ROUTES } from '@watchword/contracts';
import { declaredMetrics } from '@watchword/observability';
import { parse } from 'yaml';
import { installation } from '../../../apps/all-in-one/src/services.js';
import { expressionsIn, metricsIn } from './metric-names.js';
import { alarms, dashboards, recorded, root, runbooks } from './rules.js';

const declared = new Map(declaredMetrics().map((metric) => [metric.name, metric]));
/** Labels that Prometheus adds to what it scrapes, and that of a histogram's buckets. */
const COMMON_LABELS = ['job', 'instance', 'le'];

/** Whether the operator API has the route that a page shows, as `op GET /carriers`. */
function isRoute(method: string, shown: string): boolean {
  const path = `/operator/v1${shown.replace(/[?'`)].*$/, '')}`;
  return ROUTES.some((route) => {
    const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`);
    return route.method === method && pattern.test(path);
  });
}

function complaintsAbout(expression: string): string[] {
  return metricsIn(expression).flatMap(({ metric, labels }) => {
    const known = declared.get(metric);
    if (!known) return [`no metric ${metric}`];
    const names = [...Object.keys(known.labels), ...COMMON_LABELS];
    return labels.filter((one) => !names.includes(one)).map((one) => `${metric} has no ${one}`);
  });
}

describe('the rules', () => {
  it('use metrics and labels that the services declare', () => {
    expect(installation.definitions).toHaveLength(4);
    for (const { expr } of [...alarms, ...recorded]) expect(complaintsAbout(expr)).toEqual([]);
    expect(complaintsAbout('watchword_nothing{a="b"}')).toEqual(['no metric watchword_nothing']);
    expect(complaintsAbout('watchword_bus_unavailable{a="b"}')).toEqual([
      'watchword_bus_unavailable has no a',
    ]);
  });

  it('use recorded series that they record', () => {
    const names = recorded.map(({ record }) => record);
    for (const { expr } of alarms) {
      for (const [name] of expr.matchAll(/watchword:\w+:\w+/g)) expect(names).toContain(name);
    }
  });

  it('name routes, reasons and dependencies that there are', () => {
    const named = (label: string) =>
      [...alarms, ...recorded].flatMap(({ expr }) =>
        [...expr.matchAll(new RegExp(`\\b${label}(?:=~|!~|!=|=)"([^"]+)"`, 'g'))].map(
          ([, one = '']) => one,
        ),
      );
    const routes = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const sends = named('route').flatMap((pattern) => {
      const [, start = '', ends = ''] = /^(.*)\((.*)\)$/.exec(pattern) ?? [];
      return ends.split('|').map((end) => start + end);
    });
    expect(sends.length).toBeGreaterThan(50);
    expect(sends.filter((route) => !routes.has(route))).toEqual([]);
    const shed = ROUTES.flatMap(({ method, path, isSend }) => (isSend ? `${method} ${path}` : []));
    expect([...new Set(sends)].toSorted()).toEqual(shed.toSorted());
    const reasons = named('reason').flatMap((pattern) => pattern.split('|'));
    expect(reasons.length).toBeGreaterThan(20);
    const ofBounces = declared.get('watchword_bounces_ignored_total')!.labels['reason']!;
    const known = new Set<string>([...REASONS, ...EMAIL_FAILURE_REASONS, ...ofBounces]);
    expect(reasons.filter((reason) => !known.has(reason))).toEqual([]);
    const dependencies = ['database', 'bus', 'redis', 'billing', 'dispatch', 'webhooks'];
    const watched = named('dependency').flatMap((pattern) => pattern.split('|'));
    expect(watched.toSorted()).toEqual(dependencies.toSorted());
  });

  it('have a test that fires and one that is quiet, each', () => {
    const file = join(import.meta.dirname, 'alarms.test.yaml');
    const { tests } = parse(readFileSync(file, 'utf8')) as { tests: { name: string }[] };
    const wanted = alarms.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]);
    expect(tests.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
  });
});

describe('the runbooks', () => {
  it('are one page for each alarm', () => {
    const pages = alarms.map(({ annotations }) => annotations.runbook.split('/').at(-1));
    const files = readdirSync(runbooks).filter((name) => name !== 'README.md');
    expect(pages.toSorted()).toEqual(files.toSorted());
  });

  it.each(alarms)('$alert says what it means, where to look and what to do', (alarm) => {
    const text = readFileSync(join(root, alarm.annotations.runbook), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${alarm.alert}\\n`));
    for (const part of ['## Look', '## Do', '## It is over when']) expect(text).toContain(part);
    expect(text.split(/\s+/).length).toBeLessThan(400);
    for (const [, metric = ''] of text.matchAll(/\bmetric (watchword_\w+)/g)) {
      expect([metric, declared.has(metric.replace(/_count$/, ''))]).toEqual([metric, true]);
    }
    for (const [, method = '', path = ''] of text.matchAll(/\bop (GET|POST|PATCH|DELETE) '?(\S+)/g))
      expect([`${method} ${path}`, isRoute(method, path)]).toEqual([`${method} ${path}`, true]);
  });
});

describe('the dashboards', () => {
  it('are five', () => {
    const titles = dashboards.map(({ dashboard }) => dashboard['title']).toSorted();
    expect(titles).toEqual([
      'Watchword: carriers',
      'Watchword: money',
      'Watchword: product',
      'Watchword: queues and bus',
      'Watchword: webhooks',
    ]);
  });

  it.each(dashboards)('$name uses metrics and labels that are declared', ({ dashboard }) => {
    const expressions = expressionsIn(dashboard);
    expect(expressions.length).toBeGreaterThan(4);
    for (const expression of expressions) expect(complaintsAbout(expression)).toEqual([]);
  });
});
