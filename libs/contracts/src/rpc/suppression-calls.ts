import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { call } from './calls.js';
import { idOf, words } from '../shapes.js';

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

export const suppressionCalls = {
  /** Answers what domains and suppressions say now: one finding per question, in order. */
  judgeEmails: call(
    Type.Object({ questions: Type.Array(EmailQuestion, { maxItems: 100 }) }),
    Type.Object({ findings: Type.Array(EmailFinding) }),
  ),
};
