import { type Static, Type } from '@sinclair/typebox';
import { nullable } from './common.schema.js';

/** `null` is no limit. */
const limit = (fallback: number) =>
  nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: fallback }));

export const WorkspaceLimits = Type.Object(
  {
    key_per_minute: limit(600),
    workspace_per_minute: limit(1200),
    /** Variant B counts its requests by the second as well, with room for a burst. */
    variant_b_per_second: limit(10),
    variant_b_burst: limit(20),
    otp_sends_per_number_per_10_minutes: limit(3),
    otp_verifications_per_number_per_10_minutes: limit(10),
    sms_per_number_per_minute: limit(10),
    otp_sends_per_prefix_per_hour: limit(300),
  },
  { additionalProperties: false },
);
export type WorkspaceLimits = Static<typeof WorkspaceLimits>;

const OtpTextTemplate = nullable(Type.String({ minLength: 1, maxLength: 480 }));

/** The effective settings of a workspace, every one of them with a value. */
export const WorkspaceSettings = Type.Object(
  {
    default_language: Type.Union([Type.Literal('en'), Type.Literal('fr')]),
    sms_rewriting: Type.Boolean(),
    anti_spam: Type.Union([Type.Literal('off'), Type.Literal('tag'), Type.Literal('block')]),
    country_enforcement: Type.Union([
      Type.Literal('off'),
      Type.Literal('log'),
      Type.Literal('enforce'),
    ]),
    /** What a live send from a sender ID that is not registered meets. */
    sender_id_enforcement: Type.Union([
      Type.Literal('off'),
      Type.Literal('log'),
      Type.Literal('enforce'),
    ]),
    enabled_countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 300 }),
    otp_max_attempts: Type.Integer({ minimum: 1, maximum: 100 }),
    /** The workspace's own text by language, with `{code}`; null takes one back. */
    otp_text: Type.Object(
      { en: Type.Optional(OtpTextTemplate), fr: Type.Optional(OtpTextTemplate) },
      { additionalProperties: false },
    ),
    otp_resend_max: Type.Integer({ minimum: 0, maximum: 5 }),
    /** One of the two at most: each wants the last line of the text. */
    webotp_domain: nullable(Type.String({ minLength: 1, maxLength: 253 })),
    android_app_hash: nullable(Type.String({ pattern: '^[A-Za-z0-9+/]{11}$' })),
    /** Refuses codes of fewer than 6 digits, and those that live longer than 10 minutes. */
    strict_otp: Type.Boolean(),
    /** `credit_balance.low` fires when the balance falls below it; null is never. */
    low_balance_threshold: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
    limits: WorkspaceLimits,
  },
  { additionalProperties: false },
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

/** What a caller changes: any part of it, merged deeply into what is there. */
export const WorkspaceSettingsPatch = Type.Object(
  {
    ...Type.Partial(WorkspaceSettings).properties,
    limits: Type.Optional(Type.Partial(WorkspaceLimits, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
export type WorkspaceSettingsPatch = Static<typeof WorkspaceSettingsPatch>;
