import type { DomainStatus, WorkspaceId } from '@watchword/contracts';
import type { DkimKey } from '@watchword/email';
import type { KeyRing } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { type RecordStates, selectorOf } from './domain-records.policy.js';
import type { DomainState } from './domain.machine.js';

export interface Domain extends DomainState {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly selector: string;
  readonly publicKey: string;
  readonly recordStates: RecordStates;
  readonly lastCheckedAt: Date | null;
}

export interface DomainName {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

export interface SigningDomain extends DomainName {
  readonly status: DomainStatus;
  readonly selector: string;
  /** PKCS #8 in PEM. */
  readonly privateKeyPem: string;
  readonly recordStates: RecordStates;
}

interface Row {
  id: string;
  workspace_id: WorkspaceId;
  name: string;
  selector: string;
  public_key: string;
  status: DomainStatus;
  record_states: RecordStates;
  created_at: Date;
  verified_at: Date | null;
  last_checked_at: Date | null;
  failing_since: Date | null;
  next_check_at: Date | null;
}

type SigningRow = Pick<Row, 'id' | 'workspace_id' | 'name' | 'status' | 'selector'> &
  Pick<Row, 'record_states'> & { private_key: Buffer };

const COLUMNS = `id, workspace_id, name, selector, public_key, status, record_states, created_at,
  verified_at, last_checked_at, failing_since, next_check_at`;
/** Purpose of the key that encrypts private keys. */
export const DKIM_PURPOSE = 'watchword/dkim-key';
/** Token of the ring of those keys. */
export const DOMAIN_KEYS = Symbol('domain keys');
/** Seconds for which a dead process keeps a check from the others. */
const LEASE_SECONDS = 60;

/** Domains of workspaces, with their keys. */
export class EmailDomainStore {
  constructor(
    private readonly database: Queryable,
    private readonly ring: KeyRing,
  ) {}

  /** Locks the workspace, so that creations run one after the other and their count is right. */
  async hold(workspaceId: WorkspaceId): Promise<number> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('domains:' || $1, 0))`,
      [workspaceId],
    );
    const { rows } = await this.database.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM email_domains WHERE workspace_id = $1',
      [workspaceId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Returns null where the workspace already has the name. */
  async insert(
    { id, workspaceId, name }: Pick<Domain, 'id' | 'workspaceId' | 'name'>,
    { publicKeyBase64, privateKeyPem }: DkimKey,
    at: Date,
  ): Promise<Domain | null> {
    const sealed = this.ring.seal(privateKeyPem, id);
    const { rows } = await this.database.query<Row>(
      `INSERT INTO email_domains (id, workspace_id, name, selector, public_key, private_key,
         status, record_states, created_at, next_check_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', '{}', $7::timestamptz, $7 + interval '1 hour')
       ON CONFLICT (workspace_id, name) DO NOTHING RETURNING ${COLUMNS}`,
      [id, workspaceId, name, selectorOf(id), publicKeyBase64, sealed, at],
    );
    return rows[0] ? domainOf(rows[0]) : null;
  }

  async list(workspaceId: WorkspaceId, limit: number, beforeId: string | null): Promise<Domain[]> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM email_domains
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [workspaceId, beforeId, limit],
    );
    return rows.map(domainOf);
  }

  async find(workspaceId: WorkspaceId, id: string): Promise<Domain | null> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM email_domains WHERE id = $2 AND workspace_id = $1`,
      [workspaceId, id],
    );
    return rows[0] ? domainOf(rows[0]) : null;
  }

  /** Locks the row until the transaction ends. */
  async take(id: string): Promise<Domain | null> {
    const { rows } = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM email_domains WHERE id = $1 FOR UPDATE`,
      [id],
    );
    return rows[0] ? domainOf(rows[0]) : null;
  }

  /** Returns domains to look up now, leased to this process. */
  async claimDue(at: Date, limit: number): Promise<Domain[]> {
    const { rows } = await this.database.query<Row>(
      `UPDATE email_domains SET next_check_at = $1::timestamptz + interval '${LEASE_SECONDS} seconds'
       WHERE id IN (
         SELECT id FROM email_domains WHERE next_check_at <= $1
         ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING ${COLUMNS}`,
      [at, limit],
    );
    return rows.map(domainOf);
  }

  async change(domain: Domain): Promise<void> {
    const { id, status, recordStates, verifiedAt, lastCheckedAt } = domain;
    await this.database.query(
      `UPDATE email_domains SET status = $2, record_states = $3, verified_at = $4,
         last_checked_at = $5, failing_since = $6, next_check_at = $7 WHERE id = $1`,
      [
        ...[id, status, JSON.stringify(recordStates), verifiedAt],
        ...[lastCheckedAt, domain.failingSince, domain.nextCheckAt],
      ],
    );
  }

  async delete(workspaceId: WorkspaceId, id: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'DELETE FROM email_domains WHERE id = $2 AND workspace_id = $1',
      [workspaceId, id],
    );
    return rowCount === 1;
  }

  /** Links of emails that left lead there on while the domain itself fails. */
  async isLinkDomain(name: string): Promise<boolean> {
    const { rows } = await this.database.query<{ found: boolean }>(
      `SELECT EXISTS (
         SELECT FROM email_domains WHERE name = $1 AND verified_at IS NOT NULL
           AND record_states->>'TRACKING' = 'verified'
       ) AS found`,
      [name],
    );
    return rows[0]?.found === true;
  }

  /**
   * Returns entries for the pairs that exist. A pair without a row has no domain. Leaves out domains
   * whose key cannot be decrypted, and logs them.
   */
  async signing(
    pairs: readonly DomainName[],
    unreadable: (domain: DomainName, error: unknown) => void,
  ): Promise<SigningDomain[]> {
    const { rows } = await this.database.query<SigningRow>(
      `SELECT id, workspace_id, name, status, selector, record_states, private_key
       FROM email_domains
       WHERE (workspace_id, name) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
      [pairs.map(({ workspaceId }) => workspaceId), pairs.map(({ name }) => name)],
    );
    return rows.flatMap((row) => {
      const domain = { workspaceId: row.workspace_id, name: row.name };
      try {
        return [{ ...domain, ...this.signatureOf(row) }];
      } catch (error) {
        unreadable(domain, error);
        return [];
      }
    });
  }

  private signatureOf(row: SigningRow): Omit<SigningDomain, keyof DomainName> {
    return {
      status: row.status,
      selector: row.selector,
      recordStates: row.record_states,
      privateKeyPem: this.ring.open(row.private_key, row.id),
    };
  }
}

function domainOf(row: Row): Domain {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    selector: row.selector,
    publicKey: row.public_key,
    status: row.status,
    recordStates: row.record_states,
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    lastCheckedAt: row.last_checked_at,
    failingSince: row.failing_since,
    nextCheckAt: row.next_check_at,
  };
}
