import type { ServiceName } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * The transactions that run (`x.xid`) and may write the outbox of `owner`: all that run on the
 * server, but for those of sessions that are connected to another database, or whose user neither
 * has the right to insert nor may take on a role that has it. A right can be taken from a role
 * that has used it already: a transaction that has inserted holds a lock on the table until its end, and
 * counts as a writer without the right, too.
 *
 * The snapshot and the look at the locks need not be of the same moment: a transaction that has
 * ended in between has no lock any more, and counts as one that may write. For the same reason
 * there is one look only at all locks of a session, those on the table and the one on its
 * transaction. A prepared transaction, whose locks have no process, may write, and a superuser's
 * may. `usesysid` is the user that logged in, also after `SET ROLE`; `MEMBER` is every role that it might
 * set. Any role sees all of this of all sessions, but not since when they run.
 *
 * Rights are given before a service starts. Who gives one to a session in the middle of its
 * transaction, takes a role from one that has set it and has yet to write, or makes a view or a
 * function that writes an outbox for others, breaks this.
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
  /** Only sessions of our own role, unless that role may read all statistics. */
  startedAt: Date | null;
  /** The quoted name of a prepared transaction, which has no process. */
  prepared: string | null;
}

/** As in `docs/guides/operate/runbooks.md`. */
const look =
  'SELECT * FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND datname = current_database() ' +
  'ORDER BY xact_start';

/** Tells operators once of each transaction that holds outboxes back. */
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
    // It has ended since.
    if (holder.pid === null && holder.prepared === null) return;
    // Only those that still run can hold anything back again.
    this.toldOf = new Set([...this.toldOf, holder.xid].slice(-10));
    const { pid, prepared } = holder;
    const end =
      prepared === null ? `SELECT pg_terminate_backend(${pid})` : `ROLLBACK PREPARED ${prepared}`;
    this.logger.warn(
      {
        outbox: owner,
        ...holder,
        heldSeconds: Math.round(heldSeconds),
        look,
        end,
      },
      'a transaction that stays open holds back the outbox: nothing is sent until it ends',
    );
  }
}
