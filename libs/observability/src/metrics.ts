import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Numbers for Prometheus. A metric is made once, where a module is loaded, and is a plain function
 * from then on: `sends({ kind: 'otp' })`.
 *
 * Labels are few by construction: counters and histograms name the values that each may have, and
 * what is not among them counts as `other`. A stranger's input can never become a time series.
 */
const registry = new Registry();
const registers = [registry];

export type LabelValues = Readonly<Record<string, readonly string[]>>;
type Labels<Values extends LabelValues> = { readonly [Name in keyof Values]: string };

export interface DeclaredMetric {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly sentence: string;
  /** The values that each may have; none are listed for those that the program makes up. */
  readonly labels: LabelValues;
}

const declared: DeclaredMetric[] = [];

/** All that the modules loaded so far count and measure. */
export function declaredMetrics(): readonly DeclaredMetric[] {
  return declared.toSorted((one, other) => one.name.localeCompare(other.name));
}

export function counter<Values extends LabelValues>(
  name: string,
  sentence: string,
  values: Values,
): (labels: Labels<Values>, by?: number) => void {
  declared.push({ name, kind: 'counter', sentence, labels: values });
  const metric = new Counter({ name, help: sentence, labelNames: Object.keys(values), registers });
  const children = childrenOf(values, (labels) => metric.labels(labels));
  return (labels, by = 1) => children(labels).inc(by);
}

export function histogram<Values extends LabelValues>(
  name: string,
  sentence: string,
  values: Values,
  buckets: number[],
): (labels: Labels<Values>, value: number) => void {
  declared.push({ name, kind: 'histogram', sentence, labels: values });
  const metric = new Histogram({
    name,
    help: sentence,
    labelNames: Object.keys(values),
    buckets,
    registers,
  });
  const children = childrenOf(values, (labels) => metric.labels(labels));
  return (labels, value) => children(labels).observe(value);
}

/** For labels that the program itself makes up, such as topics and groups. */
export function gauge<Name extends string = never>(
  name: string,
  sentence: string,
  labelNames: readonly Name[] = [],
): (labels: Readonly<Record<Name, string>>, value: number) => void {
  const labels = Object.fromEntries(labelNames.map((label) => [label, []]));
  declared.push({ name, kind: 'gauge', sentence, labels });
  const metric = new Gauge({ name, help: sentence, labelNames: [...labelNames], registers });
  return (values, value) => metric.labels(values).set(value);
}

/** A number that is read when somebody looks; the sum, where several tell it. */
export function observed(name: string, sentence: string): (read: () => number) => void {
  const reads: (() => number)[] = [];
  declared.push({ name, kind: 'gauge', sentence, labels: {} });
  new Gauge({
    name,
    help: sentence,
    registers,
    collect() {
      this.set(reads.reduce((sum, read) => sum + read(), 0));
    },
  });
  return (read) => void reads.push(read);
}

let withDefaults = false;

export const metricsType = registry.contentType;

export async function renderMetrics(): Promise<string> {
  if (!withDefaults) collectDefaultMetrics({ register: registry });
  withDefaults = true;
  return registry.metrics();
}

/** Finds the metric of a combination of labels by one look into a map. */
function childrenOf<Values extends LabelValues, Child>(
  values: Values,
  make: (labels: Record<string, string>) => Child,
): (labels: Labels<Values>) => Child {
  const names = Object.keys(values);
  const children = new Map<string, Child>();
  return (labels) => {
    let key = '';
    for (const name of names) key += `${labels[name]} `;
    const known = children.get(key);
    if (known) return known;
    const bounded = Object.fromEntries(
      names.map((name) => {
        const value = labels[name] ?? '';
        return [name, values[name]?.includes(value) ? value : 'other'];
      }),
    );
    const child = make(bounded);
    // Only combinations of declared values are remembered: the map is as bounded as the labels.
    if (names.every((name) => bounded[name] === labels[name])) children.set(key, child);
    return child;
  };
}
