import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { MomentPosition } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { type ListAsked, type ListPage, pageOfWalk, WALKED_MAX, walkOf } from './list-walk.js';
import { statesMatching } from './message-list.policy.js';

/**
 * The same as `visibleState` in `message-change.policy.ts`. States that are reached before any
 * attempt replace a read of the attempts.
 */
export const VISIBLE_STATE = `
  CASE
    WHEN reason IS NULL OR settled_at IS NOT NULL THEN state
    WHEN delivered_at IS NOT NULL THEN 'delivered'
    WHEN send_at IS NOT NULL AND state IN ('cancelled', 'rejected', 'blocked') THEN 'scheduled'
    WHEN sent_at IS NULL THEN 'accepted'
    ELSE 'sent'
  END`;

const WALK = walkOf('messages');

const list = statement(
  'dispatch_list_messages',
  `SELECT id, created_at AS "createdAt" FROM (
     SELECT id, created_at, kind, destination,
       coalesce(sender_id, shown_sender) AS sender, country_code, test_mode,
       family || ':' || ${VISIBLE_STATE} AS status
     ${WALK} LIMIT ${WALKED_MAX}) AS walked
   WHERE ($6::text IS NULL OR kind = $6)
     AND ($7::text IS NULL OR destination = $7)
     AND ($8::text IS NULL OR sender = $8)
     AND ($9::text IS NULL OR country_code = $9)
     AND ($10::boolean IS NULL OR test_mode = $10)
     AND test_mode = coalesce($12, test_mode)
     AND ($11::text[] IS NULL OR status = ANY ($11))
   ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const walkEnd = statement(
  'dispatch_list_messages_walk_end',
  `SELECT id, created_at AS "createdAt" ${WALK} OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

/** Filters of a workspace's list. `status` is in the public words of each message's family. */
export interface MessagesAsked extends ListAsked {
  readonly kind?: string | undefined;
  readonly country?: string | undefined;
}

/** Messages of a workspace, newest first. */
@Injectable()
export class MessageListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  page(asked: MessagesAsked, after: MomentPosition | null): Promise<ListPage> {
    const filters = [
      asked.kind ?? null,
      asked.to ?? null,
      asked.from ?? null,
      asked.country ?? null,
      asked.only_test_mode ?? null,
      asked.status === undefined ? null : statesMatching(asked.status),
      asked.test_mode,
    ];
    return pageOfWalk(asked, after, {
      list: (values) => this.database.query(list, [...values, ...filters]),
      walkEnd: (values) => this.database.query(walkEnd, values),
    });
  }
}
