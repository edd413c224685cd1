import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { call } from './calls.js';
import { idOf, nullable, words } from '../shapes.js';

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

export const domainCalls = {
  /** Whether a workspace has proved this domain, and the last look-up found its TRACKING record. */
  findLinkDomain: call(
    Type.Object({ name: Type.String() }),
    Type.Object({ is_verified: Type.Boolean() }),
  ),
};
