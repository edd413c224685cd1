import type { MessageId, MessageKind, WorkspaceId } from '@watchword/contracts';
import { type Queryable, type Statement, statement } from '@watchword/postgres';
import type { CreatedBetween } from './message-filters.policy.js';

/** Most rows that one call reads, so that a rare filter cannot make it read all. */
export const SEARCHED_MAX = 20_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Filters of a search over all workspaces and both modes, or within one workspace. */
export interface SearchAsked extends CreatedBetween {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly id?: string | undefined;
  readonly to?: string | undefined;
  readonly workspace_id?: WorkspaceId | undefined;
  readonly status?: string | undefined;
  readonly kind?: MessageKind | undefined;
  readonly test_mode?: boolean | undefined;
}

/** What differs between the tables that operators search. */
export interface Searched {
  readonly table: 'messages' | 'emails';
  /** Columns of a walked row that the conditions read, with those called `status` and `kind`. */
  readonly columns: string;
  /** Condition on a walked row: it goes to $4. */
  readonly isTo: string;
  /** A walk of its own for a destination, where an index has it. $1 is the destination. */
  readonly rowsTo?: string;
}

/** A walk along one index. $1 is its subject, $2 the row it continues after. */
interface Walk {
  readonly name: string;
  readonly rows: string;
  readonly order: string;
}

/** The subject that leaves the fewest rows first. */
const SUBJECTS = ['id', 'to', 'workspace_id'] as const;
type Subject = (typeof SUBJECTS)[number];

export interface Found {
  readonly ids: MessageId[];
  /** The row that the next page goes on after; null at the end. */
  readonly next: string | null;
}

interface Row {
  ids: MessageId[];
  walkEnd: string | null;
}

/** Rows of one workspace or of all, newest first. */
export class Search {
  private readonly bySubject: Partial<Record<Subject, Statement>>;
  private readonly all: Statement;

  constructor(
    private readonly searched: Searched,
    private readonly database: Queryable,
  ) {
    const { table, rowsTo } = searched;
    const ofAll = `SELECT * FROM ${table} WHERE $1::text IS NULL AND id < $2::uuid`;
    const ofId = `SELECT * FROM ${table} WHERE id = $1::uuid AND id < $2::uuid`;
    const reached = `coalesce((SELECT created_at FROM ${table} WHERE id = $2::uuid), 'infinity')`;
    // A single upper bound: given two, PostgreSQL begins the index scan at either of them.
    const ofWorkspace = `
      SELECT * FROM ${table} WHERE workspace_id = $1::uuid AND created_at > $9
        AND (created_at, id) < (least(${reached}, $10::timestamptz),
          CASE WHEN ${reached} < $10 THEN $2::uuid ELSE '${NO_ID}' END)`;
    this.all = this.statement({ name: 'all', rows: ofAll, order: 'id DESC' });
    this.bySubject = {
      id: this.statement({ name: 'id', rows: ofId, order: 'id DESC' }),
      ...(rowsTo && { to: this.statement({ name: 'number', rows: rowsTo, order: 'id DESC' }) }),
      workspace_id: this.statement({
        name: 'workspace',
        rows: ofWorkspace,
        order: 'created_at DESC, id DESC',
      }),
    };
  }

  /** `statuses` are values of the column `status`; null for any. */
  async page(
    asked: SearchAsked,
    statuses: readonly string[] | null,
    after: string | null,
  ): Promise<Found> {
    const { limit } = asked;
    const subject = SUBJECTS.find(
      (name) => asked[name] !== undefined && this.bySubject[name] !== undefined,
    );
    const search = (subject && this.bySubject[subject]) ?? this.all;
    const { rows } = await this.database.query<Row>(search, [
      subject ? asked[subject] : null,
      after ?? LAST_ID,
      asked.workspace_id ?? null,
      asked.to ?? null,
      statuses,
      // One row more than the page shows whether there is a next page.
      limit + 1,
      asked.kind ?? null,
      asked.test_mode ?? null,
      asked.created_after ?? '-infinity',
      asked.created_before ?? 'infinity',
    ]);
    const { ids, walkEnd } = rows[0]!;
    const shown = ids.slice(0, limit);
    return { ids: shown, next: ids.length > limit ? shown.at(-1)! : walkEnd };
  }

  private statement({ name, rows, order }: Walk) {
    const { table, columns, isTo } = this.searched;
    const walked = `
      SELECT id, created_at, workspace_id, test_mode, ${columns}
      FROM (${rows}) AS message ORDER BY ${order}`;
    // The end of the walk is read only where the page is not full, because it reads all walked rows.
    return statement(
      `dispatch_search_${table}_by_${name}`,
      `WITH page AS MATERIALIZED (
         SELECT ARRAY(
           SELECT id FROM (${walked} LIMIT ${SEARCHED_MAX}) AS walked
           WHERE ($3::uuid IS NULL OR workspace_id = $3)
             AND ($4::text IS NULL OR ${isTo})
             AND ($5::text[] IS NULL OR status = ANY ($5))
             AND ($7::text IS NULL OR kind = $7)
             AND ($8::boolean IS NULL OR test_mode = $8)
             AND created_at > $9::timestamptz AND created_at < $10::timestamptz
           ORDER BY ${order} LIMIT $6) AS ids)
       SELECT ids, CASE WHEN cardinality(ids) < $6 THEN (
         SELECT id FROM (${rows}) AS message ORDER BY ${order} OFFSET ${SEARCHED_MAX - 1} LIMIT 1) END AS "walkEnd"
       FROM page`,
    );
  }
}
