import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { MessageId, SearchMessagesRequest } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { statesCalled } from './message-list.policy.js';
import { VISIBLE_STATE } from './message-list.store.js';

/** Most messages that one call reads, so that a rare filter cannot make it read all. */
const WALKED_MAX = 20_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A walk along one index. $1 is its subject, $2 the message it continues after. */
interface Walk {
  readonly name: string;
  readonly rows: string;
  readonly order: string;
}

const BY_ID: Walk = {
  name: 'id',
  rows: 'SELECT * FROM messages WHERE id = $1::uuid AND id < $2::uuid',
  order: 'id DESC',
};
/** The index has live and test messages of a number separately. */
const BY_NUMBER: Walk = {
  name: 'number',
  rows: `
    SELECT one.* FROM (VALUES (true), (false)) AS mode (is_test) CROSS JOIN LATERAL (
      SELECT * FROM messages
      WHERE destination = $1::text AND test_mode = mode.is_test AND id < $2::uuid
      ORDER BY id DESC LIMIT ${WALKED_MAX}) AS one`,
  order: 'id DESC',
};
const BY_WORKSPACE: Walk = {
  name: 'workspace',
  rows: `
    SELECT * FROM messages WHERE workspace_id = $1::uuid AND (created_at, id) <
      (coalesce((SELECT created_at FROM messages WHERE id = $2::uuid), 'infinity'), $2::uuid)`,
  order: 'created_at DESC, id DESC',
};
const ALL: Walk = {
  name: 'all',
  rows: 'SELECT * FROM messages WHERE $1::text IS NULL AND id < $2::uuid',
  order: 'id DESC',
};

function search({ name, rows, order }: Walk) {
  return statement(
    `dispatch_search_messages_by_${name}`,
    `WITH walked AS MATERIALIZED (
       SELECT id, created_at, workspace_id, destination,
         family || ':' || ${VISIBLE_STATE} AS status
       FROM (${rows}) AS message ORDER BY ${order} LIMIT ${WALKED_MAX})
     SELECT
       ARRAY(
         SELECT id FROM walked
         WHERE ($3::uuid IS NULL OR workspace_id = $3)
           AND ($4::text IS NULL OR destination = $4)
           AND ($5::text[] IS NULL OR status = ANY ($5))
         ORDER BY ${order} LIMIT $6) AS ids,
       (SELECT id FROM walked ORDER BY ${order} OFFSET ${WALKED_MAX - 1} LIMIT 1) AS "walkEnd"`,
  );
}

const SEARCHES = {
  id: search(BY_ID),
  to: search(BY_NUMBER),
  workspace_id: search(BY_WORKSPACE),
};
const SEARCH_ALL = search(ALL);
/** The subject that leaves the fewest messages first. */
const SUBJECTS = ['id', 'to', 'workspace_id'] as const;

export interface Found {
  readonly ids: MessageId[];
  /** The message that the next page goes on after; null at the end. */
  readonly next: string | null;
}

interface Row {
  ids: MessageId[];
  walkEnd: string | null;
}

/** Messages of all workspaces and both modes, newest first, for operators. */
@Injectable()
export class MessageSearchStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async page(asked: SearchMessagesRequest, after: string | null): Promise<Found> {
    const { limit, status } = asked;
    const subject = SUBJECTS.find((name) => asked[name] !== undefined);
    const { rows } = await this.database.query<Row>(subject ? SEARCHES[subject] : SEARCH_ALL, [
      subject ? asked[subject] : null,
      after ?? LAST_ID,
      asked.workspace_id ?? null,
      asked.to ?? null,
      status === undefined ? null : statesCalled(status),
      // One row more than the page shows whether there is a next page.
      limit + 1,
    ]);
    const { ids, walkEnd } = rows[0]!;
    const shown = ids.slice(0, limit);
    return { ids: shown, next: ids.length > limit ? shown.at(-1)! : walkEnd };
  }
}
