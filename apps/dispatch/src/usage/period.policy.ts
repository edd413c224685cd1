import {
  ApiError,
  INPUT_PROBLEMS,
  inputMessage,
  momentOf,
  OVERVIEW_INTERVALS,
  OVERVIEW_POINTS_MAX,
  type OverviewInterval,
  type OverviewQuery,
} from '@watchword/contracts';

const DAYS_DEFAULT = 7;
/** Messages are younger, and the database reads all times in between. */
const FIRST_MS = Date.UTC(2000, 0);
const LAST_MS = Date.UTC(2100, 0);

/** Returns the whole hours or days of a query, and the begin of the period before them. */
export function periodOf(
  { from: begin, to: end }: Pick<OverviewQuery, 'from' | 'to'>,
  interval: OverviewInterval,
  nowMs: number,
): { before: Date; from: Date; to: Date } {
  const stepMs = OVERVIEW_INTERVALS[interval];
  const endMs = end === undefined ? nowMs : momentOf(end, 'to').getTime();
  const to = Math.ceil(endMs / stepMs) * stepMs;
  const from =
    begin === undefined
      ? to - DAYS_DEFAULT * OVERVIEW_INTERVALS.day
      : Math.floor(momentOf(begin, 'from').getTime() / stepMs) * stepMs;
  const points = (to - from) / stepMs;
  if (from < FIRST_MS || to > LAST_MS || points < 1 || points > OVERVIEW_POINTS_MAX) {
    const message = inputMessage('from', INPUT_PROBLEMS.periodMax(OVERVIEW_POINTS_MAX));
    throw new ApiError('validation_error', { field: 'from', message });
  }
  return { before: new Date(2 * from - to), from: new Date(from), to: new Date(to) };
}
