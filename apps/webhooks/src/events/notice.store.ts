import { Inject, Injectable } from '@nestjs/common';
import type { EndpointId, EventId, WorkspaceId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** A disabled endpoint without its event to the workspace. */
export interface Notice {
  eventId: EventId;
  workspaceId: WorkspaceId;
  endpointId: EndpointId;
  url: string;
  reason: string;
  at: Date;
}

const find = statement(
  'webhooks.find-notices',
  `SELECT notice_event_id AS "eventId", workspace_id AS "workspaceId", id AS "endpointId", url,
     disabled_reason AS reason, updated_at AS at
   FROM webhooks.endpoints WHERE notice_event_id IS NOT NULL ORDER BY id LIMIT 100`,
);

const forget = statement(
  'webhooks.forget-notices',
  `UPDATE webhooks.endpoints SET notice_event_id = NULL WHERE notice_event_id = ANY ($1::text[])`,
);

@Injectable()
export class NoticeStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async find(): Promise<Notice[]> {
    return (await this.database.query<Notice>(find)).rows;
  }

  async forget(eventIds: readonly EventId[]): Promise<void> {
    crashPoint('webhooks.forget-notices.before-commit');
    await this.database.query(forget, [eventIds]);
    crashPoint('webhooks.forget-notices.after-commit');
  }
}
