import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  isUuid,
  type RequestOf,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { EventListStore } from './event-list.store.js';
import { EVENTS_KEPT_MS } from './retention.policy.js';

/** Lists events, so that receivers can repair gaps. */
@Controller()
export class EventsRpc {
  constructor(
    private readonly events: EventListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(webhooksCalls, 'listEvents')
  async listEvents(request: RequestOf<'listEvents'>): AnswerOf<'listEvents'> {
    const { workspace_id: workspaceId, after, limit, type = null } = request;
    if (!isUuid(workspaceId)) return { bodies: [] };
    const since = new Date(this.clock.now() - EVENTS_KEPT_MS);
    const testModeOnly = request.test_mode_only ?? false;
    const asked = { workspaceId, after, limit, type, testModeOnly, since };
    const { rows, next } = await this.events.page(asked);
    const page = { bodies: rows.map(({ body }) => body) };
    return next === null ? page : { ...page, next_after: next };
  }
}
