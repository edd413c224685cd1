import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { idOf, nullable, verdict, words } from '../shapes.js';

/** Those that a workspace may have. */
export const SENDER_IDS_MAX = 100;

export const SenderStatus = words('pending', 'approved', 'active', 'suspended', 'rejected');
export type SenderStatus = Static<typeof SenderStatus>;

/** The decision about a sender ID in one country. */
export const SenderReview = Type.Object({
  country: Type.String(),
  status: SenderStatus,
  rejection_reason: nullable(Type.String()),
  /** Whether the sender reaches numbers on the country's Do Not Disturb registry. */
  dnd_whitelisted: Type.Boolean(),
  reviewed_at: nullable(Type.String()),
});
export type SenderReview = Static<typeof SenderReview>;

/** A workspace's request for a sender ID. */
export const SenderApplication = Type.Object({
  countries: Type.Array(Type.String()),
  registered_entity: Type.String(),
  registration_doc_url: nullable(Type.String()),
  use_case: Type.String(),
  sample_message: Type.String(),
  notes: nullable(Type.String()),
});
export type SenderApplication = Static<typeof SenderApplication>;

/** `status` is `pending` while any review is pending, otherwise the best status of the reviews. */
export const SenderRecord = Type.Composite([
  Type.Object({
    id: Type.String(),
    workspace_id: idOf<WorkspaceId>(),
    sender_id: Type.String(),
    status: SenderStatus,
    reviews: Type.Array(SenderReview),
    /** Reason of the newest rejection or suspension. */
    rejection_reason: nullable(Type.String()),
    created_at: Type.String(),
    updated_at: Type.String(),
  }),
  SenderApplication,
]);
export type SenderRecord = Static<typeof SenderRecord>;

const OfWorkspace = { workspace_id: idOf<WorkspaceId>() };
const Changed = Type.Object({ verdict: Type.Literal('changed'), sender: SenderRecord });

export const senderCalls = {
  /**
   * `duplicate`: the workspace already has a sender ID with this name, in its folded form.
   */
  requestSender: call(
    Type.Composite([
      Type.Object({
        ...OfWorkspace,
        sender_id: Type.String(),
        idempotency: nullable(IdempotencyClaim),
      }),
      SenderApplication,
    ]),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('created'),
        replayed: Type.Boolean(),
        sender: SenderRecord,
      }),
      verdict('duplicate', 'too_many', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Returns the sender ID that a request with this key got; null when there was none. */
  findRequestedSender: call(
    Type.Object({ ...OfWorkspace, idempotency: IdempotencyClaim }),
    Type.Object({ sender: nullable(SenderRecord), is_conflict: Type.Boolean() }),
  ),
  /** Lists all sender IDs of a workspace, newest first. */
  listSenders: call(Type.Object(OfWorkspace), Type.Object({ data: Type.Array(SenderRecord) })),
  /**
   * Changes a sender ID that is pending. Countries that are decided stay as they are, and from the first decision
   * on entity, use case and sample as well (`reviewed_texts_fixed`).
   */
  changeSender: call(
    Type.Object({ ...OfWorkspace, id: Type.String(), change: Type.Partial(SenderApplication) }),
    Type.Union([
      Changed,
      verdict('not_found', 'not_pending', 'decided_country', 'reviewed_texts_fixed'),
    ]),
    { idempotent: false },
  ),
  /** Lists sender IDs of all workspaces before the id, newest first, for operators. */
  listSendersToReview: call(
    Type.Object({
      workspace_id: nullable(idOf<WorkspaceId>()),
      status: nullable(SenderStatus),
      country: nullable(Type.String()),
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before_id: nullable(Type.String()),
    }),
    Type.Object({ data: Type.Array(SenderRecord) }),
  ),
  /**
   * Decides all named countries or none. Publishes one event per country that is approved or
   * rejected.
   */
  reviewSender: call(
    Type.Object({
      id: Type.String(),
      countries: Type.Array(Type.String(), { minItems: 1 }),
      status: SenderStatus,
      reason: nullable(Type.String()),
      dnd_whitelisted: Type.Optional(Type.Boolean()),
    }),
    Type.Union([
      Changed,
      verdict('not_found'),
      Type.Object({
        verdict: words('illegal_step', 'unknown_country'),
        country: Type.String(),
        /** Current status of the review. Null for a country that was not requested. */
        current: nullable(SenderStatus),
      }),
    ]),
    { idempotent: false },
  ),
};
