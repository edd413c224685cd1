import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { idOf, nullable, words } from '../shapes.js';

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
