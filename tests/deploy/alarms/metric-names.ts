/** Metric names and label matchers that a PromQL expression uses. */
export interface Used {
  readonly metric: string;
  readonly labels: readonly string[];
}

const SELECTOR = /\b(watchword_[a-z_0-9]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-z_]+)\s*(?:=~|!~|!=|=)\s*"/g;

/** Recorded series have colons in their names and are not among them. */
export function metricsIn(expression: string): Used[] {
  return [...expression.matchAll(SELECTOR)].map(([, name = '', matchers = '']) => ({
    metric: name.replace(/_(?:bucket|count|sum)$/, ''),
    labels: [...matchers.matchAll(MATCHER)].map(([, label = '']) => label),
  }));
}

/** Every string member called `expr`, wherever it stands. */
export function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'expr' && typeof inner === 'string' ? [inner] : expressionsIn(inner),
  );
}
