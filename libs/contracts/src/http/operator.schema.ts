import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { PriceList, TopUpKind } from '../rpc/billing-calls.js';
import { PageQuery, UUID_PATTERN } from './common.schema.js';
import { OperatorSettingsPatch } from './workspace-settings.schema.js';
import { idOf, nullable, words } from '../shapes.js';

const WorkspaceName = Type.String({ minLength: 1, maxLength: 100 });
const CREDITS_MAX = 1_000_000_000_000;

export const CreateWorkspaceBody = Type.Object({
  name: WorkspaceName,
  /** Opening credits, a ledger entry of kind `bonus`. */
  credits: Type.Optional(Type.Integer({ minimum: 0, maximum: CREDITS_MAX })),
  billing_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  settings: Type.Optional(OperatorSettingsPatch),
});
export type CreateWorkspaceBody = Static<typeof CreateWorkspaceBody>;

/** Refuses other members, such as `limits` outside `settings`. */
export const ChangeWorkspaceBody = Type.Object(
  {
    name: Type.Optional(WorkspaceName),
    settings: Type.Optional(OperatorSettingsPatch),
    /** While a workspace is suspended, its keys are refused and its messages wait. */
    suspended: Type.Optional(Type.Boolean()),
    /** Required with `suspended`. */
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { additionalProperties: false },
);
export type ChangeWorkspaceBody = Static<typeof ChangeWorkspaceBody>;

export const TopUpBody = Type.Object({
  /** Credits to enter. Only an `adjustment` may be negative. */
  credits: Type.Integer({ minimum: -CREDITS_MAX, maximum: CREDITS_MAX }),
  kind: TopUpKind,
  note: Type.Optional(Type.String({ maxLength: 500 })),
});
export type TopUpBody = Static<typeof TopUpBody>;

export const KeyMode = words('live', 'test');
export type KeyMode = Static<typeof KeyMode>;

/**
 * `sending` allows the four send endpoints of variant B, `otp` every `/v1/otp` route, `agent` only
 * `/mcp`.
 */
export const KeyPermission = words('full', 'sending', 'otp', 'agent');
export type KeyPermission = Static<typeof KeyPermission>;

/** Bounds of a key that has the permission `agent`. */
export const agentBounds = {
  daily_budget_credits: Type.Optional(
    Type.Integer({
      description:
        'Credits that an agent key may spend in one UTC day, refunds taken off. Left out: no budget.',
      minimum: 0,
      maximum: CREDITS_MAX,
      examples: [500],
    }),
  ),
  countries: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
      description:
        'ISO 3166-1 codes of the countries that an agent key may send to. Left out: every country.',
      minItems: 1,
      maxItems: 300,
      examples: [['NG', 'GH']],
    }),
  ),
};

export const CreateKeyBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  mode: KeyMode,
  permission: Type.Optional(KeyPermission),
  ...agentBounds,
});
export type CreateKeyBody = Static<typeof CreateKeyBody>;

export const PutWebhookBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  events: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
});
export type PutWebhookBody = Static<typeof PutWebhookBody>;

export const PlatformSettings = Type.Object(
  {
    limits: Type.Object(
      {
        ip_authenticated_per_minute: nullable(Type.Integer({ minimum: 0 })),
        ip_unauthenticated_per_minute: nullable(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false },
    ),
    /** Sender IDs that every workspace may use, in any spelling that folds to the same. */
    shared_sender_ids: Type.Array(Type.String({ minLength: 1, maxLength: 11 }), {
      maxItems: 1000,
      examples: [['Watchword']],
    }),
  },
  { additionalProperties: false },
);
export type PlatformSettings = Static<typeof PlatformSettings>;

export const PlatformSettingsPatch = Type.Object(
  {
    limits: Type.Optional(
      Type.Partial(PlatformSettings.properties.limits, { additionalProperties: false }),
    ),
    shared_sender_ids: Type.Optional(PlatformSettings.properties.shared_sender_ids),
  },
  { additionalProperties: false },
);
export type PlatformSettingsPatch = Static<typeof PlatformSettingsPatch>;

/** Characters of a protected name. */
export const PROTECTED_NAME_LENGTH_MAX = 50;

/** Replaces the whole list. */
export const PutProtectedSenderIdsBody = Type.Object(
  {
    sender_ids: Type.Array(Type.String({ minLength: 1, maxLength: PROTECTED_NAME_LENGTH_MAX }), {
      maxItems: 10_000,
    }),
  },
  { additionalProperties: false },
);
export type PutProtectedSenderIdsBody = Static<typeof PutProtectedSenderIdsBody>;

export const LiftPrefixBody = Type.Object({
  /** The audit log keeps it. */
  reason: Type.String({ minLength: 1, maxLength: 500 }),
});
export type LiftPrefixBody = Static<typeof LiftPrefixBody>;

export const ReplayDeadLettersBody = Type.Object(
  {
    topic: Type.String({ minLength: 1, maxLength: 200 }),
    /** Consumer group, as the list of dead letters names it. */
    group: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
);
export type ReplayDeadLettersBody = Static<typeof ReplayDeadLettersBody>;

export const DiscardDeadLettersBody = Type.Composite(
  [
    ReplayDeadLettersBody,
    Type.Object({
      /** The audit log keeps it. */
      reason: Type.String({ minLength: 1, maxLength: 500 }),
    }),
  ],
  { additionalProperties: false },
);
export type DiscardDeadLettersBody = Static<typeof DiscardDeadLettersBody>;

const QUOTA_MAX = 1_000_000_000_000;

/** Replaces the whole plan. A quota that is left out becomes zero, but one is required. */
export const PutPlanBody = Type.Object(
  {
    sms_segments_per_month: Type.Optional(
      Type.Integer({ minimum: 0, maximum: QUOTA_MAX, default: 0 }),
    ),
    emails_per_month: Type.Optional(Type.Integer({ minimum: 0, maximum: QUOTA_MAX, default: 0 })),
  },
  { additionalProperties: false },
);
export type PutPlanBody = Static<typeof PutPlanBody>;

export const PutPricesBody = PriceList;

export const OperatorAuditQuery = Type.Composite([
  PageQuery,
  Type.Object({ workspace_id: Type.Optional(idOf<WorkspaceId>({ pattern: UUID_PATTERN })) }),
]);
export type OperatorAuditQuery = Static<typeof OperatorAuditQuery>;

export const LedgerQuery = Type.Composite([
  PageQuery,
  Type.Object({
    kind: Type.Optional(words('charge', 'refund', 'top_up')),
  }),
]);
export type LedgerQuery = Static<typeof LedgerQuery>;
