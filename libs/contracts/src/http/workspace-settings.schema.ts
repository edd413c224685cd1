import { type Static, Type } from '@sinclair/typebox';
import { nullable, words } from '../shapes.js';
import { UUID_PATTERN } from './common.schema.js';

/** A limit; `null` switches it off. */
const limit = (fallback: number) =>
  nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: fallback }));

export const WorkspaceLimits = Type.Object(
  {
    key_per_minute: limit(600),
    workspace_per_minute: limit(1200),
    /** Requests per second of variant B, with room for a burst. */
    variant_b_per_second: limit(10),
    variant_b_burst: limit(20),
    otp_sends_per_number_per_10_minutes: limit(3),
    otp_verifications_per_number_per_10_minutes: limit(10),
    sms_per_number_per_minute: limit(10),
    otp_sends_per_prefix_per_hour: limit(300),
    /** Bytes of the contents of live emails. */
    stored_bytes_max: nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  { additionalProperties: false },
);
export type WorkspaceLimits = Static<typeof WorkspaceLimits>;

const ENTRIES_MAX = 100;

/**
 * What anti-spam does not judge: SMS of these sender IDs, made from these templates, or whose every
 * link leads to one of these domains. Each list replaces the one before.
 */
export const AntiSpamAllow = Type.Object(
  {
    sender_ids: Type.Array(Type.String({ minLength: 1, maxLength: 11 }), { maxItems: ENTRIES_MAX }),
    template_ids: Type.Array(Type.String({ pattern: UUID_PATTERN }), { maxItems: ENTRIES_MAX }),
    domains: Type.Array(Type.String({ minLength: 4, maxLength: 253 }), { maxItems: ENTRIES_MAX }),
  },
  { additionalProperties: false },
);
export type AntiSpamAllow = Static<typeof AntiSpamAllow>;

/** Settings of which an operator sets the loosest value that an owner may choose: loose to strict. */
export const FLOOR_WORDS = {
  anti_spam: ['off', 'tag', 'block'],
  country_enforcement: ['off', 'log', 'enforce'],
  sender_id_enforcement: ['off', 'log', 'enforce'],
} as const;
export type FloorSetting = keyof typeof FLOOR_WORDS;
export const FLOOR_SETTINGS = Object.keys(FLOOR_WORDS) as readonly FloorSetting[];

const floorSettings = {
  anti_spam: words(...FLOOR_WORDS.anti_spam),
  country_enforcement: words(...FLOOR_WORDS.country_enforcement),
  /** What happens to a live send from a sender ID without registration. */
  sender_id_enforcement: words(...FLOOR_WORDS.sender_id_enforcement),
};

/** What an operator set. Owners may be stricter. */
export const SettingFloors = Type.Partial(
  Type.Object(floorSettings, { additionalProperties: false }),
);
export type SettingFloors = Static<typeof SettingFloors>;

const OtpTextTemplate = nullable(Type.String({ minLength: 1, maxLength: 480 }));

/** The settings in force for a workspace. Every setting has a value. */
export const WorkspaceSettings = Type.Object(
  {
    default_language: words('en', 'fr'),
    sms_rewriting: Type.Boolean(),
    /** Only an operator changes it: no sender of spam may exempt its own texts. */
    anti_spam_allow: AntiSpamAllow,
    ...floorSettings,
    /** What happens to a promotional SMS in the quiet hours of its country. */
    quiet_hours: words('off', 'refuse', 'delay'),
    enabled_countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 300 }),
    otp_max_attempts: Type.Integer({ minimum: 1, maximum: 100 }),
    /**
     * The workspace's own OTP text by language, with `{code}`. Null removes the text of a language.
     */
    otp_text: Type.Object(
      { en: Type.Optional(OtpTextTemplate), fr: Type.Optional(OtpTextTemplate) },
      { additionalProperties: false },
    ),
    otp_resend_max: Type.Integer({ minimum: 0, maximum: 5 }),
    /** Sends a code once more, without a charge, by the next provider after some failed reports. */
    otp_reroute: Type.Boolean(),
    /** At most one of the two may be set, because each needs the last line of the text. */
    webotp_domain: nullable(Type.String({ minLength: 1, maxLength: 253 })),
    android_app_hash: nullable(Type.String({ pattern: '^[A-Za-z0-9+/]{11}$' })),
    /** Refuses codes with fewer than 6 digits and codes that live longer than 10 minutes. */
    strict_otp: Type.Boolean(),
    /** A balance below it fires `credit_balance.low`. Null switches the event off. */
    low_balance_threshold: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
    limits: WorkspaceLimits,
  },
  { additionalProperties: false },
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

/**
 * Who changes each setting of a workspace. `owner`: an owner or an operator. `floor`: an owner too, but
 * no looser than an operator set it. `operator`: an operator alone. A member changes none.
 */
export const SETTING_ROLES: Readonly<
  Record<Exclude<keyof WorkspaceSettings, FloorSetting>, 'owner' | 'operator'> &
    Record<FloorSetting, 'floor'>
> = {
  default_language: 'owner',
  sms_rewriting: 'owner',
  anti_spam: 'floor',
  anti_spam_allow: 'operator',
  country_enforcement: 'floor',
  sender_id_enforcement: 'floor',
  quiet_hours: 'owner',
  enabled_countries: 'owner',
  otp_max_attempts: 'owner',
  otp_text: 'owner',
  otp_resend_max: 'owner',
  otp_reroute: 'owner',
  webotp_domain: 'owner',
  android_app_hash: 'owner',
  strict_otp: 'owner',
  low_balance_threshold: 'owner',
  limits: 'operator',
};

/** An owner's change: any part of the settings. It is merged deeply into the stored settings. */
export const WorkspaceSettingsPatch = Type.Object(
  {
    ...Type.Partial(WorkspaceSettings).properties,
    anti_spam_allow: Type.Optional(Type.Partial(AntiSpamAllow, { additionalProperties: false })),
    limits: Type.Optional(Type.Partial(WorkspaceLimits, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
export type WorkspaceSettingsPatch = Static<typeof WorkspaceSettingsPatch>;

/** An operator's change. A value of a floor setting becomes the floor; null removes it. */
export const OperatorSettingsPatch = Type.Object(
  {
    ...WorkspaceSettingsPatch.properties,
    anti_spam: Type.Optional(nullable(floorSettings.anti_spam)),
    country_enforcement: Type.Optional(nullable(floorSettings.country_enforcement)),
    sender_id_enforcement: Type.Optional(nullable(floorSettings.sender_id_enforcement)),
  },
  { additionalProperties: false },
);
export type OperatorSettingsPatch = Static<typeof OperatorSettingsPatch>;
