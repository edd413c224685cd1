import { type Static, Type } from '@sinclair/typebox';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { nullable } from '../http/common.schema.js';

export const SENDER_IDS_MAX = 200;

const words = <Word extends string>(...list: Word[]) =>
  Type.Union(list.map((word) => Type.Literal(word)));

export const SenderStatus = words('pending', 'approved', 'active', 'suspended', 'rejected');
export type SenderStatus = Static<typeof SenderStatus>;

/** The decision of one country. */
export const SenderReview = Type.Object({
  country: Type.String(),
  status: SenderStatus,
  rejection_reason: nullable(Type.String()),
  /** Messages from this sender reach numbers on the country's Do Not Disturb registry. */
  dnd_whitelisted: Type.Boolean(),
  reviewed_at: nullable(Type.String()),
});
export type SenderReview = Static<typeof SenderReview>;

/** What a workspace states about a sender ID that it requests. */
export const SenderApplication = Type.Object({
  countries: Type.Array(Type.String()),
  registered_entity: Type.String(),
  registration_doc_url: nullable(Type.String()),
  use_case: Type.String(),
  sample_message: Type.String(),
  notes: nullable(Type.String()),
});
export type SenderApplication = Static<typeof SenderApplication>;

/** `status` is `pending` while any review is, otherwise the best of the reviews. */
export const SenderRecord = Type.Composite([
  Type.Object({
    id: Type.String(),
    workspace_id: Type.String(),
    sender_id: Type.String(),
    status: SenderStatus,
    reviews: Type.Array(SenderReview),
    /** Of the newest rejection or suspension. */
    rejection_reason: nullable(Type.String()),
    created_at: Type.String(),
    updated_at: Type.String(),
  }),
  SenderApplication,
]);
export type SenderRecord = Static<typeof SenderRecord>;

const OfWorkspace = { workspace_id: Type.String() };
const Changed = Type.Object({ verdict: Type.Literal('changed'), sender: SenderRecord });
const refusal = <Verdict extends string>(...verdicts: Verdict[]) =>
  Type.Object({ verdict: words(...verdicts) });

export const senderCalls = {
  /** `duplicate`: the workspace has a living sender ID of this name, letter case ignored. */
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
      refusal('duplicate', 'too_many', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** All of a workspace, newest first. */
  listSenders: call(Type.Object(OfWorkspace), Type.Object({ data: Type.Array(SenderRecord) })),
  /** Only while it is pending; a country that is decided stays. */
  changeSender: call(
    Type.Object({ ...OfWorkspace, id: Type.String(), change: Type.Partial(SenderApplication) }),
    Type.Union([Changed, refusal('not_found', 'not_pending', 'decided_country')]),
    { idempotent: false },
  ),
  /** For operators: of all workspaces, newest first, those before the id. */
  listSendersToReview: call(
    Type.Object({
      workspace_id: nullable(Type.String()),
      status: nullable(SenderStatus),
      country: nullable(Type.String()),
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before_id: nullable(Type.String()),
    }),
    Type.Object({ data: Type.Array(SenderRecord) }),
  ),
  /** All countries or none. Announces one event for each country that is approved or rejected. */
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
      refusal('not_found'),
      Type.Object({
        verdict: words('illegal_step', 'unknown_country'),
        country: Type.String(),
        /** Of the review as it is; null for a country that was not asked for. */
        current: nullable(SenderStatus),
      }),
    ]),
    { idempotent: false },
  ),
};
