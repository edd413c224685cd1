import { Controller } from '@nestjs/common';
import { type AnswerOf, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { overviewOf } from './overview.policy.js';
import { UsageStore } from './usage.store.js';

@Controller()
export class UsageRpc {
  constructor(private readonly usage: UsageStore) {}

  @CallPattern(dispatchCalls, 'getOverview')
  async getOverview(request: RequestOf<'getOverview'>): AnswerOf<'getOverview'> {
    const [from, to] = [new Date(request.from), new Date(request.to)];
    const question = {
      workspaceId: request.workspace_id,
      testMode: request.test_mode,
      before: new Date(2 * from.getTime() - to.getTime()),
      from,
      to,
      interval: request.interval,
      groupBy: request.group_by,
      channel: request.channel ?? null,
    };
    const { counts, times } = await this.usage.overview(question);
    return overviewOf(question, counts, times);
  }
}
