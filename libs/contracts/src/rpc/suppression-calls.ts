import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { idOf, nullable, verdict, words } from '../shapes.js';

export const EmailCategory = words('transactional', 'marketing');
export type EmailCategory = Static<typeof EmailCategory>;

/** Why the address is suppressed. */
export const SuppressionOrigin = words('manual', 'bounce', 'complaint', 'unsubscribe');
export type SuppressionOrigin = Static<typeof SuppressionOrigin>;

/** `marketing`: the address still receives transactional email. */
export const SuppressionScope = words('all', 'marketing');
export type SuppressionScope = Static<typeof SuppressionScope>;

export const EmailSuppression = Type.Object({
  id: Type.String(),
  /** The address in lower case. */
  address: Type.String(),
  origin: SuppressionOrigin,
  scope: SuppressionScope,
  created_at: Type.String(),
});
export type EmailSuppression = Static<typeof EmailSuppression>;

/** Sender domain and recipients of an email. */
export const EmailQuestion = Type.Object({
  workspace_id: idOf<WorkspaceId>(),
  /** Domain of the `From` address, in lower case. */
  domain: Type.String(),
  addresses: Type.Array(Type.String()),
  category: EmailCategory,
});
export type EmailQuestion = Static<typeof EmailQuestion>;

export const EmailFinding = Type.Object({
  /** Whether the workspace may send from the domain. */
  is_verified: Type.Boolean(),
  /** Addresses of the question that are suppressed. */
  suppressed: Type.Array(Type.String()),
});
export type EmailFinding = Static<typeof EmailFinding>;

const OfWorkspace = { workspace_id: idOf<WorkspaceId>() };

export const suppressionCalls = {
  /** Answers what domains and suppressions say now: one finding per question, in order. */
  judgeEmails: call(
    Type.Object({ questions: Type.Array(EmailQuestion, { maxItems: 100 }) }),
    Type.Object({ findings: Type.Array(EmailFinding) }),
  ),
  /** Suppresses an address for all email, as an entry by hand. */
  suppressAddress: call(
    Type.Object({
      ...OfWorkspace,
      address: Type.String(),
      idempotency: nullable(IdempotencyClaim),
    }),
    Type.Union([
      Type.Object({
        /** `known`: the address was suppressed already. */
        verdict: words('created', 'known'),
        replayed: Type.Boolean(),
        suppression: EmailSuppression,
      }),
      verdict('idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Lists suppressions before the position, newest first. */
  listEmailSuppressions: call(
    Type.Object({
      ...OfWorkspace,
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before: nullable(Type.Object({ created_at: Type.String(), id: Type.String() })),
    }),
    Type.Object({ data: Type.Array(EmailSuppression) }),
  ),
  /**
   * Deletes the suppressions of an address in every scope. Only an operator deletes one of origin
   * `complaint`.
   */
  unsuppressAddress: call(
    Type.Object({ ...OfWorkspace, address: Type.String(), by_operator: Type.Boolean() }),
    verdict('deleted', 'not_found', 'complaint'),
  ),
};
