import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isUuid, type WebhooksCalls } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { EventListStore } from './event-list.store.js';
import { EVENTS_KEPT_MS } from './retention.policy.js';

/** Lists events, with which receivers repair their gaps. */
@Injectable()
export class EventsRpc {
  constructor(
    private readonly events: EventListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  listEvents: WebhooksCalls['listEvents'] = async (request) => {
    const { workspace_id: workspaceId, after, limit, type = null } = request;
    if (!isUuid(workspaceId)) return { bodies: [] };
    const since = new Date(this.clock.now() - EVENTS_KEPT_MS);
    const testModeOnly = request.test_mode_only ?? false;
    const asked = { workspaceId, after, limit, type, testModeOnly, since };
    const { rows, next } = await this.events.page(asked);
    const page = { bodies: rows.map(({ body }) => body) };
    return next === null ? page : { ...page, next_after: next };
  };
}
