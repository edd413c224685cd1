import { Controller, Inject } from '@nestjs/common';
import {
  type Clock,
  type Outcome,
  type Overview,
  type OverviewQuery,
  routes,
} from '@watchword/contracts';
import { Caller, CLOCK, Operation, Query, type WorkspaceCaller } from '@watchword/platform';
import { overviewOf } from './overview.policy.js';
import { periodOf } from './period.policy.js';
import { UsageStore } from './usage.store.js';

/** What a workspace sent, counted. */
@Controller()
export class OverviewController {
  constructor(
    private readonly usage: UsageStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Operation(routes.getOverview)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() query: OverviewQuery,
  ): Promise<Outcome<Overview>> {
    const { interval = 'hour', group_by: groupBy = 'channel', channel = null } = query;
    const question = {
      workspaceId,
      testMode: query.test_mode ?? false,
      ...periodOf(query, interval, this.clock.now()),
      ...{ interval, groupBy, channel },
    };
    const { counts, times } = await this.usage.overview(question);
    return { body: overviewOf(question, counts, times) };
  }
}
