import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { idOf, nullable, verdict, words } from '../shapes.js';

export const DOMAINS_MAX = 1_000;
/** Most milliseconds that `verify` waits for DNS. */
export const DOMAIN_LOOK_UP_MS = 4_500;

/**
 * `temporary_failure`: the domain was verified, but its record is missing now. It still sends for
 * 72 hours.
 */
export const DomainStatus = words('pending', 'verified', 'temporary_failure', 'failed');
export type DomainStatus = Static<typeof DomainStatus>;

export const DomainPurpose = words('DKIM', 'SPF', 'MX', 'DMARC', 'TRACKING');
export type DomainPurpose = Static<typeof DomainPurpose>;

/** `failed`: DNS has another value. */
export const DomainRecordStatus = words('pending', 'verified', 'failed');
export type DomainRecordStatus = Static<typeof DomainRecordStatus>;

/** A DNS record for the customer to publish. */
export const DomainRecord = Type.Object({
  purpose: DomainPurpose,
  type: words('TXT', 'MX', 'CNAME'),
  name: Type.String(),
  value: Type.String(),
  priority: nullable(Type.Integer()),
  required: Type.Boolean(),
  status: DomainRecordStatus,
  problem: Type.Optional(nullable(Type.String())),
});
export type DomainRecord = Static<typeof DomainRecord>;

/** A domain that a workspace sends email from. */
export const SendingDomain = Type.Object({
  id: Type.String(),
  workspace_id: idOf<WorkspaceId>(),
  name: Type.String(),
  status: DomainStatus,
  records: Type.Array(DomainRecord),
  created_at: Type.String(),
  verified_at: nullable(Type.String()),
  last_checked_at: nullable(Type.String()),
});
export type SendingDomain = Static<typeof SendingDomain>;

const OfWorkspace = { workspace_id: idOf<WorkspaceId>() };
const OneDomain = Type.Object({ ...OfWorkspace, id: Type.String() });
const Found = Type.Object({ domain: nullable(SendingDomain) });

export const domainCalls = {
  /** `duplicate`: the workspace already has a domain with this name. */
  createDomain: call(
    Type.Object({
      ...OfWorkspace,
      /** Name of the domain in ASCII, lower case. */
      name: Type.String(),
      idempotency: nullable(IdempotencyClaim),
    }),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('created'),
        replayed: Type.Boolean(),
        domain: SendingDomain,
      }),
      verdict('duplicate', 'too_many', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Lists domains before the id, newest first. */
  listDomains: call(
    Type.Object({
      ...OfWorkspace,
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before_id: nullable(Type.String()),
    }),
    Type.Object({ data: Type.Array(SendingDomain) }),
  ),
  getDomain: call(OneDomain, Found),
  /** Looks up the domain's DNS records now. A key repeats what its first look-up found. */
  verifyDomain: call(
    Type.Object({
      ...OneDomain.properties,
      idempotency: Type.Optional(nullable(IdempotencyClaim)),
    }),
    Type.Union([
      Type.Object({ ...Found.properties, replayed: Type.Optional(Type.Boolean()) }),
      verdict('idempotency_conflict'),
    ]),
    { deadlineMs: DOMAIN_LOOK_UP_MS + 10_000 },
  ),
  /** Whether a workspace has proved this domain, and the last look-up found its TRACKING record. */
  findLinkDomain: call(
    Type.Object({ name: Type.String() }),
    Type.Object({ is_verified: Type.Boolean() }),
  ),
  deleteDomain: call(OneDomain, Type.Object({ deleted: Type.Boolean() })),
};
