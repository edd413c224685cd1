import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { answerInTime } from './poll.js';

/**
 * Metrics for Prometheus. A metric is created once, where a module is loaded, and is then a plain
 * function: `sends({ kind: 'otp' })`.
 *
 * Labels have few values: counters and histograms list the values of each, and any other counts as
 * `other`. Foreign input can never become a time series. Known series are shown from the start, as
 * 0: `increase` sees no rise in a series that begins with its first event, and an alarm would miss
 * that one.
 */
const registry = new Registry();
const registers = [registry];

export type LabelValues = Readonly<Record<string, readonly string[]>>;
type Labels<Values extends LabelValues> = { readonly [Name in keyof Values]: string };

export interface DeclaredMetric {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly sentence: string;
  /** Allowed values of each label. Empty for values that the program makes up. */
  readonly labels: LabelValues;
}

const declared: DeclaredMetric[] = [];

/** Returns the metrics of all modules loaded so far. */
export function declaredMetrics(): readonly DeclaredMetric[] {
  return declared.toSorted((one, other) => one.name.localeCompare(other.name));
}

export function counter<Values extends LabelValues>(
  name: string,
  sentence: string,
  values: Values,
): (labels: Labels<Values>) => void {
  declared.push({ name, kind: 'counter', sentence, labels: values });
  const { metric, seriesOf } = counterOf(name, sentence, Object.keys(values));
  const series = boundedBy(values, seriesOf);
  for (const labels of combinationsOf(values)) metric.inc(labels, 0);
  return (labels) => {
    series(labels).pending += 1;
  };
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
  const series = boundedBy(
    values,
    byLabels(Object.keys(values), (labels) => metric.labels(labels)),
  );
  for (const labels of combinationsOf(values)) metric.zero(labels);
  return (labels, value) => series(labels).observe(value);
}

export interface OpenCounter<Name extends string> {
  (labels: Readonly<Record<Name, string>>): void;
  /** Shows the series as 0 until something happens. */
  expect(labels: Readonly<Record<Name, string>>): void;
}

/** For labels with values from the running program, such as topics and groups. */
export function openCounter<Name extends string>(
  name: string,
  sentence: string,
  labelNames: readonly Name[],
): OpenCounter<Name> {
  const labels = Object.fromEntries(labelNames.map((label) => [label, []]));
  declared.push({ name, kind: 'counter', sentence, labels });
  const { metric, seriesOf } = counterOf(name, sentence, labelNames);
  const count = (values: Readonly<Record<Name, string>>) => {
    seriesOf(values).pending += 1;
  };
  const expect = (values: Readonly<Record<Name, string>>) => metric.inc(values, 0);
  return Object.assign(count, { expect });
}

/** Counts add up here and reach prom-client at each scrape, because one increment there takes about a microsecond. */
interface Series {
  pending: number;
}

function counterOf<Name extends string>(
  name: string,
  sentence: string,
  labelNames: readonly Name[],
) {
  const flushes: (() => void)[] = [];
  const metric = new Counter({
    name,
    help: sentence,
    labelNames: [...labelNames],
    registers,
    collect: () => flushes.forEach((flush) => flush()),
  });
  const seriesOf = byLabels(labelNames, (labels): Series => {
    const child = metric.labels(labels);
    const series = { pending: 0 };
    flushes.push(() => {
      child.inc(series.pending);
      series.pending = 0;
    });
    return series;
  });
  return { metric, seriesOf };
}

export interface GaugeOf<Name extends string> {
  (labels: Readonly<Record<Name, string>>, value: number): void;
  /** Shows nothing until it is set again, because an old number would look current. */
  forget(): void;
}

/** For labels with values from the running program, such as topics and groups. */
export function gauge<Name extends string = never>(
  name: string,
  sentence: string,
  labelNames: readonly Name[] = [],
): GaugeOf<Name> {
  const labels = Object.fromEntries(labelNames.map((label) => [label, []]));
  declared.push({ name, kind: 'gauge', sentence, labels });
  const metric = new Gauge({ name, help: sentence, labelNames: [...labelNames], registers });
  const set = (values: Readonly<Record<Name, string>>, value: number) => {
    metric.labels(values).set(value);
  };
  const forget = () => {
    metric.reset();
    // Without labels it would now be 0.
    if (labelNames.length === 0) metric.remove();
  };
  return Object.assign(set, { forget });
}

/** A number that is read at each scrape. Several readers are summed. */
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

/** Milliseconds. A scrape does not wait for a hanging dependency; Prometheus gives it ten seconds. */
export const ASK_TIMEOUT_MS = 5_000;
const showings = new Set<() => Promise<void>>();

/**
 * Asks a source for numbers at each scrape. `show` gets undefined when the source fails or is late.
 * Returns a function that ends it.
 */
export function askWhenShown<Answer>(
  ask: () => Promise<Answer>,
  show: (answer: Answer | undefined) => void,
): () => void {
  const answer = answerInTime(ASK_TIMEOUT_MS, ask);
  return beforeShown(async () => show(await answer()));
}

/** Runs before each scrape, which waits for it. Returns a function that ends it. */
export function beforeShown(showing: () => Promise<void>): () => void {
  showings.add(showing);
  return () => void showings.delete(showing);
}

let withDefaults = false;

export const metricsType = registry.contentType;

export async function renderMetrics(): Promise<string> {
  if (!withDefaults) collectDefaultMetrics({ register: registry });
  withDefaults = true;
  await Promise.all([...showings].map((showing) => showing()));
  return registry.metrics();
}

function combinationsOf(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (all, [name, some]) => all.flatMap((one) => some.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** Replaces values that are not declared with `other`, and finds the series. */
function boundedBy<Values extends LabelValues, Found>(
  values: Values,
  find: (labels: Record<string, string>) => Found,
): (labels: Labels<Values>) => Found {
  const names = Object.keys(values);
  const bounded = (labels: Labels<Values>) =>
    Object.fromEntries(
      names.map((name) => {
        const value = labels[name] ?? '';
        return [name, values[name]?.includes(value) ? value : 'other'];
      }),
    );
  const isDeclared = (labels: Labels<Values>) =>
    names.every((name) => values[name]?.includes(labels[name] ?? ''));
  return (labels) => find(isDeclared(labels) ? labels : bounded(labels));
}

/** Makes something of each combination of labels once, and finds it with one map look-up. */
function byLabels<Name extends string, Made>(
  names: readonly Name[],
  make: (labels: Readonly<Record<Name, string>>) => Made,
): (labels: Readonly<Record<Name, string>>) => Made {
  const all = new Map<string, Made>();
  return (labels) => {
    let key = '';
    for (const name of names) key += `${labels[name]} `;
    const known = all.get(key);
    if (known) return known;
    const made = make(labels);
    all.set(key, made);
    return made;
  };
}
