import { ListCursor, type ListEmailsRequest } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { type ListPosition } from '../messages/message-list.policy.js';

/** One call looks at no more emails than this, so that a rare one cannot make it read them all. */
const WALKED_MAX = 20_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const FORM = /^(\d{4}-\d\d-\d\dT[\d:.]+Z):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const emailCursors = new ListCursor('email', FORM);

const WALK = `
  FROM emails
  WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) AND created_at > $4
  ORDER BY created_at DESC, id DESC`;

const LIST = statement(
  'dispatch_list_emails',
  `SELECT id, created_at AS "createdAt" FROM (
     SELECT id, created_at, status, to_addresses, from_address, tags, test_mode
     ${WALK} LIMIT ${WALKED_MAX}) AS walked
   WHERE ($5::text IS NULL OR status = $5)
     AND ($6::text IS NULL OR $6 = ANY (to_addresses))
     AND ($7::text IS NULL OR from_address = $7)
     AND ($8::text IS NULL OR $8 = ANY (tags))
     AND ($9::boolean IS NULL OR test_mode = $9)
     AND test_mode = coalesce($10, test_mode)
   ORDER BY created_at DESC, id DESC LIMIT $11`,
);

const WALK_END = statement(
  'dispatch_list_emails_walk_end',
  `SELECT id, created_at AS "createdAt" ${WALK} OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

interface Row {
  id: string;
  createdAt: Date;
}

export interface EmailPage {
  readonly ids: string[];
  /** Cursor of the next page; null at the end. */
  readonly next: ListPosition | null;
}

/** Undefined for the cursor of another list. */
export function emailPositionOf(cursor: string): ListPosition | undefined {
  const [, createdAt, id] = FORM.exec(emailCursors.read(cursor) ?? '') ?? [];
  if (createdAt === undefined || id === undefined) return undefined;
  return Number.isNaN(Date.parse(createdAt)) ? undefined : { createdAt, id };
}

export function emailCursorAfter({ createdAt, id }: ListPosition): string {
  return emailCursors.after(`${createdAt}:${id}`);
}

/** Emails of a workspace, newest first. */
export class EmailListStore {
  constructor(private readonly database: Queryable) {}

  async page(asked: ListEmailsRequest, after: ListPosition | null): Promise<EmailPage> {
    const end = earlier(after, asked.created_before);
    const walk = [
      asked.workspace_id,
      end?.createdAt ?? 'infinity',
      end?.id ?? NO_ID,
      asked.created_after ?? '-infinity',
    ];
    const { rows } = await this.database.query<Row>(LIST, [
      ...walk,
      asked.status ?? null,
      asked.to?.toLowerCase() ?? null,
      asked.from?.toLowerCase() ?? null,
      asked.tag ?? null,
      asked.only_test_mode ?? null,
      asked.test_mode,
      // One row more than the page shows whether there is a next page.
      asked.limit + 1,
    ]);
    const shown = rows.slice(0, asked.limit);
    const ids = shown.map(({ id }) => id);
    if (rows.length > asked.limit) return { ids, next: positionAt(shown.at(-1)!) };
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
