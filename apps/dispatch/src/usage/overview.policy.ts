import {
  type Overview,
  OVERVIEW_GROUPS_MAX,
  OVERVIEW_INTERVALS,
  type OverviewFigures,
  type OverviewGroupBy,
  type OverviewInterval,
  type WorkspaceId,
} from '@watchword/contracts';

export const USAGE_COUNTS = [
  'sends',
  'sent',
  'delivered',
  'undelivered',
  'attempted',
  'verified',
  'expired',
  'failed',
  'cancelled',
  'charged_credits',
  'refunded_credits',
] as const;

/** Rows of both periods, of each point, and of each group in both periods. */
export interface Slice {
  readonly slice: 'period' | 'point' | 'key';
  readonly point: string | null;
  readonly key: string | null;
  readonly isBefore: boolean | null;
}
export type CountedSlice = Slice & Record<(typeof USAGE_COUNTS)[number], number>;
export type TimedSlice = Slice & { readonly step: number; readonly count: number };

export interface OverviewQuestion {
  readonly workspaceId: WorkspaceId;
  readonly testMode: boolean;
  readonly before: Date;
  readonly from: Date;
  readonly to: Date;
  readonly interval: OverviewInterval;
  readonly groupBy: OverviewGroupBy;
  readonly channel: string | null;
}

/** Steps for each doubling of a time; see `count-usage.sql`. */
const STEPS_PER_DOUBLING = 8;

/** Counts by step, in rising order of the steps. */
type Histogram = readonly { readonly step: number; readonly count: number }[];

/** Returns the time below which this part of all times lies, or null without any. */
export function secondsAt(part: number, histogram: Histogram): number | null {
  const all = histogram.reduce((sum, { count }) => sum + count, 0);
  let reached = 0;
  for (const { step, count } of histogram) {
    reached += count;
    if (reached >= all * part) return secondsOf(step);
  }
  return null;
}

/** Returns the middle of the step, with three digits. */
function secondsOf(step: number): number {
  return Number((2 ** ((step + 0.5) / STEPS_PER_DOUBLING)).toPrecision(3));
}

const NOTHING = Object.fromEntries(USAGE_COUNTS.map((name) => [name, 0])) as Record<
  (typeof USAGE_COUNTS)[number],
  number
>;

function figuresOf(counts: CountedSlice | undefined, histogram: Histogram = []): OverviewFigures {
  const all = Object.fromEntries(
    USAGE_COUNTS.map((name) => [name, (counts ?? NOTHING)[name]]),
  ) as typeof NOTHING;
  const decided = all.delivered + all.undelivered;
  return {
    ...all,
    delivery_rate: decided === 0 ? null : all.delivered / decided,
    spent_credits: all.charged_credits - all.refunded_credits,
    delivery_seconds: { p50: secondsAt(0.5, histogram), p95: secondsAt(0.95, histogram) },
  };
}

/** Identifies a slice. JSON of the database writes a time with its offset. */
function nameOf({ slice, point, key, isBefore }: Slice): string {
  const at = point === null ? null : new Date(point).toISOString();
  return JSON.stringify([slice, at, key, slice === 'point' ? null : isBefore]);
}

/** Puts the slices of an overview together. A slice without messages has no rows. */
export function overviewOf(
  question: OverviewQuestion,
  counts: readonly CountedSlice[],
  times: readonly TimedSlice[],
): Overview {
  const counted = new Map(counts.map((row) => [nameOf(row), row]));
  const timed = Map.groupBy(
    times.toSorted((one, other) => one.step - other.step),
    nameOf,
  );
  const figures = (slice: Slice['slice'], part: Partial<Slice>) => {
    const name = nameOf({ slice, point: null, key: null, isBefore: null, ...part });
    return figuresOf(counted.get(name), timed.get(name));
  };
  const { from, to, interval } = question;
  const stepMs = OVERVIEW_INTERVALS[interval];
  const points = Array.from({ length: (to.getTime() - from.getTime()) / stepMs }, (_, index) =>
    new Date(from.getTime() + index * stepMs).toISOString(),
  );
  const keys = new Set(counts.flatMap(({ slice, key }) => (slice === 'key' ? [key] : [])));
  const groups = [...keys].map((key) => ({
    key: key === '' ? null : key,
    ...figures('key', { key, isBefore: false }),
    before: figures('key', { key, isBefore: true }),
  }));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    group_by: question.groupBy,
    test_mode: question.testMode,
    total: figures('period', { isBefore: false }),
    before: figures('period', { isBefore: true }),
    points: points.map((at) => ({ at, ...figures('point', { point: at }) })),
    groups: groups
      .toSorted((one, other) => other.sends - one.sends || other.before.sends - one.before.sends)
      .slice(0, OVERVIEW_GROUPS_MAX),
  };
}
