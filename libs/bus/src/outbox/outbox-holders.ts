import type { ServiceName } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * Returns SQL for the running transactions (`x.xid`) that may write the outbox of `owner`. These
 * are all on the server, except sessions of another database and users that neither have the right
 * to insert nor can assume a role that has it. A right can be revoked after its use: a transaction
 * that has inserted holds a table lock until it ends, so it counts without the right, too.
 *
 * The snapshot and the read of the locks may differ in time. A transaction that has ended in
 * between has no lock and counts as a writer. For the same reason all locks of a session are read
 * at once: those on the table and the one on its transaction. A prepared transaction, whose locks
 * have no process, counts as a writer, and so does a superuser's. `usesysid` is the user that
 * logged in, also after `SET ROLE`; `MEMBER` covers every role it may set. Any role sees all of
 * this for all sessions, but not their start time.
 *
 * Rights must be granted before a service starts. The statement is wrong in three cases: a right is
 * granted to a session within its transaction; a role is revoked from a session that has set it and
 * has yet to write; a view or function writes an outbox for others.
 */
export function writersOf(owner: ServiceName): string {
  return `pg_snapshot_xip(pg_current_snapshot()) AS x (xid)
    WHERE NOT EXISTS (
      SELECT FROM (
        SELECT pid,
               array_agg(transactionid) FILTER (
                 WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock') AS xids,
               coalesce(bool_or(
                 locktype = 'relation' AND relation = '${owner}.outbox'::regclass
                 AND mode NOT IN ('AccessShareLock', 'RowShareLock')), false) AS writes
          FROM pg_locks WHERE granted GROUP BY pid
      ) AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
       WHERE x.xid::xid = ANY (l.xids)
         AND (a.datname IS DISTINCT FROM current_database() OR NOT l.writes AND NOT EXISTS (
           SELECT FROM pg_roles AS r
            WHERE pg_has_role(a.usesysid, r.oid, 'MEMBER')
              AND has_any_column_privilege(r.oid, '${owner}.outbox', 'INSERT'))))`;
}

interface Holder {
  xid: string;
  pid: number | null;
  user: string | null;
  applicationName: string | null;
  /**
   * Start time. Visible only for sessions of our own role, unless that role may read all
   * statistics.
   */
  startedAt: Date | null;
  /** Quoted name of a prepared transaction, which has no process. Otherwise null. */
  prepared: string | null;
}

/** The same query as in `docs/guides/operate/runbooks.md`. */
const LOOK =
  'SELECT * FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND datname = current_database() ' +
  'ORDER BY xact_start';

/** Logs each transaction that holds outboxes back, once. */
export class OutboxHolders {
  private toldOf = new Set<string>();

  constructor(
    private readonly database: Queryable,
    private readonly logger: Logger,
  ) {}

  async tell(owner: ServiceName, heldSeconds: number): Promise<void> {
    const { rows } = await this.database.query<Holder>(
      statement(
        `bus-holders-${owner}`,
        `SELECT x.xid::text AS xid, a.pid, a.usename AS user,
                a.application_name AS "applicationName", a.xact_start AS "startedAt",
                quote_literal(p.gid) AS prepared
           FROM (SELECT x.xid FROM ${writersOf(owner)} ORDER BY x.xid LIMIT 1) AS x
           LEFT JOIN pg_locks AS l
             ON l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
            AND l.transactionid = x.xid::xid
           LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
           LEFT JOIN pg_prepared_xacts AS p ON p.transaction = x.xid::xid`,
      ),
    );
    const [holder] = rows;
    if (!holder || this.toldOf.has(holder.xid)) return;
    // The transaction has ended since.
    if (holder.pid === null && holder.prepared === null) return;
    // Only transactions that still run can hold anything back again.
    this.toldOf = new Set([...this.toldOf, holder.xid].slice(-10));
    const { pid, prepared } = holder;
    const end =
      prepared === null ? `SELECT pg_terminate_backend(${pid})` : `ROLLBACK PREPARED ${prepared}`;
    this.logger.warn(
      {
        outbox: owner,
        ...holder,
        heldSeconds: Math.round(heldSeconds),
        look: LOOK,
        end,
      },
      'a transaction that stays open holds back the outbox: nothing is sent until it ends',
    );
  }
}
