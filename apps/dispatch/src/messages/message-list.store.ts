import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { ListMessagesRequest } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { type ListPosition, statesCalled } from './message-list.policy.js';

/** One call looks at no more messages than this, so that a rare one cannot make it read them all. */
const WALKED_MAX = 20_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** As `visibleState` in `message-change.policy.ts`. */
export const VISIBLE_STATE = `
  CASE
    WHEN reason IS NULL OR settled_at IS NOT NULL THEN state
    WHEN delivered_at IS NOT NULL THEN 'delivered'
    WHEN sent_at IS NULL THEN 'accepted'
    ELSE 'sent'
  END`;

const WALK = `
  FROM messages
  WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) AND created_at > $4
  ORDER BY created_at DESC, id DESC`;

const LIST = statement(
  'dispatch_list_messages',
  `SELECT id, created_at AS "createdAt" FROM (
     SELECT id, created_at, kind, destination, sender_id, country_code, test_mode,
       family || ':' || ${VISIBLE_STATE} AS status
     ${WALK} LIMIT ${WALKED_MAX}) AS walked
   WHERE ($5::text IS NULL OR kind = $5)
     AND ($6::text IS NULL OR destination = $6)
     AND ($7::text IS NULL OR sender_id = $7)
     AND ($8::text IS NULL OR country_code = $8)
     AND ($9::boolean IS NULL OR test_mode = $9)
     AND test_mode = coalesce($12, test_mode)
     AND ($10::text[] IS NULL OR status = ANY ($10))
   ORDER BY created_at DESC, id DESC LIMIT $11`,
);

const WALK_END = statement(
  'dispatch_list_messages_walk_end',
  `SELECT id, created_at AS "createdAt" ${WALK} OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

export interface MessagePage {
  readonly ids: string[];
  /** Cursor of the next page; null at the end. */
  readonly next: ListPosition | null;
}

interface Row {
  id: string;
  createdAt: Date;
}

/** Messages of a workspace, newest first. */
@Injectable()
export class MessageListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async page(asked: ListMessagesRequest, after: ListPosition | null): Promise<MessagePage> {
    const { workspace_id: workspaceId, created_after: since, limit } = asked;
    const end = earlier(after, asked.created_before);
    const walk = [
      workspaceId,
      end?.createdAt ?? 'infinity',
      end?.id ?? NO_ID,
      since ?? '-infinity',
    ];
    const { rows } = await this.database.query<Row>(LIST, [
      ...walk,
      asked.kind ?? null,
      asked.to ?? null,
      asked.from ?? null,
      asked.country ?? null,
      asked.only_test_mode ?? null,
      asked.status === undefined ? null : statesCalled(asked.status),
      // One row more than the page shows whether there is a next page.
      limit + 1,
      asked.test_mode,
    ]);
    const shown = rows.slice(0, limit);
    const ids = shown.map(({ id }) => id);
    if (rows.length > limit) return { ids, next: positionAt(shown.at(-1)!) };
    const walkEnd = await this.database.query<Row>(WALK_END, walk);
    return { ids, next: walkEnd.rows[0] ? positionAt(walkEnd.rows[0]) : null };
  }
}

function positionAt({ id, createdAt }: Row): ListPosition {
  return { id, createdAt: createdAt.toISOString() };
}

/** Both are upper bounds: the one that leaves less. */
function earlier(after: ListPosition | null, before: string | undefined): ListPosition | null {
  if (before === undefined) return after;
  const bound = { createdAt: new Date(before).toISOString(), id: NO_ID };
  if (after === null) return bound;
  return Date.parse(after.createdAt) < Date.parse(bound.createdAt) ? after : bound;
}
