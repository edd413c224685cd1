import type { DeclaredMetric } from './metrics.js';

/** Returns `docs/reference/metrics.md`. */
export function metricsReference(metrics: readonly DeclaredMetric[]): string {
  const rows = metrics.map(
    ({ name, kind, labels, sentence }) =>
      `| \`${name}\` | ${kind} | ${describeLabels(labels)} | ${sentence} |`,
  );
  return `${[
    '# Metrics',
    '',
    'Generated from the declarations in the code; change those, not this page.',
    'Every process shows its own at `/metrics` on its METRICS_PORT, in the text format of Prometheus, with',
    'the usual ones of the process and of Node beside them. Labels have few and known values: what is not',
    'among them counts as `other`, and nothing that an unauthenticated client sends becomes a time series.',
    '',
    '| Metric | Kind | Labels | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}

function describeLabels(labels: DeclaredMetric['labels']): string {
  const described = Object.entries(labels).map(([name, values]) => {
    if (values.length === 0) return `\`${name}\``;
    if (values.length > LISTED_MAX) return `\`${name}\`: ${values.length} values`;
    return `\`${name}\`: ${values.join(', ')}`;
  });
  return described.join('; ');
}

/**
 * Most values in a list. Longer lists are documented where they are defined, such as the types of
 * errors.
 */
const LISTED_MAX = 10;
