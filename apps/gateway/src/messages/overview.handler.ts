import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  INPUT_PROBLEMS,
  inputMessage,
  type Overview,
  OVERVIEW_INTERVALS,
  OVERVIEW_POINTS_MAX,
  type OverviewQuery,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { readInstant } from './message-filters.policy.js';

const DAYS_DEFAULT = 7;
/** Messages are younger, and the database reads all times in between. */
const FIRST_MS = Date.UTC(2000, 0);
const LAST_MS = Date.UTC(2100, 0);

/** What a workspace sent, counted. */
@Injectable()
export class OverviewHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getOverview'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get(workspaceId: WorkspaceId, query: OverviewQuery): Promise<Overview> {
    const { interval = 'hour', group_by = 'channel', channel, test_mode = false } = query;
    return this.dispatch.getOverview({
      workspace_id: workspaceId,
      ...{ test_mode, interval, group_by },
      ...(channel && { channel }),
      ...this.period(query, OVERVIEW_INTERVALS[interval]),
    });
  }

  private period(query: OverviewQuery, stepMs: number): { from: string; to: string } {
    const asked = readInstant(query.to, 'to');
    const end = asked === undefined ? this.clock.now() : Date.parse(asked);
    const to = Math.ceil(end / stepMs) * stepMs;
    const begin = readInstant(query.from, 'from');
    const from =
      begin === undefined
        ? to - DAYS_DEFAULT * OVERVIEW_INTERVALS.day
        : Math.floor(Date.parse(begin) / stepMs) * stepMs;
    const points = (to - from) / stepMs;
    if (from < FIRST_MS || to > LAST_MS || points < 1 || points > OVERVIEW_POINTS_MAX) {
      const message = inputMessage('from', INPUT_PROBLEMS.periodMax(OVERVIEW_POINTS_MAX));
      throw new ApiError('validation_error', { field: 'from', message });
    }
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  }
}
