import {
  ApiError,
  FLOOR_SETTINGS,
  type FloorSetting,
  inputMessage,
  type InputProblem,
  type OperatorSettingsPatch,
  type WorkspaceSettings,
} from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';
import { isHostName, isSenderId, isSharedDomain } from '@watchword/telephony';
import { checkOtpTemplates } from './otp-text-settings.policy.js';
import { type StoredSettings, stricter } from './setting-roles.policy.js';

/**
 * Settings of a workspace. Only changes are stored, so a new default applies to every workspace
 * that never changed it.
 */
export function defaultSettings(billingCountry: string): WorkspaceSettings {
  return {
    default_language: 'en',
    sms_rewriting: true,
    anti_spam: 'off',
    anti_spam_allow: { sender_ids: [], template_ids: [], domains: [] },
    country_enforcement: 'log',
    sender_id_enforcement: 'log',
    quiet_hours: 'off',
    enabled_countries: [billingCountry],
    otp_max_attempts: 5,
    otp_text: {},
    otp_resend_max: 3,
    otp_reroute: false,
    webotp_domain: null,
    android_app_hash: null,
    strict_otp: false,
    low_balance_threshold: null,
    limits: {
      key_per_minute: 600,
      workspace_per_minute: 1200,
      variant_b_per_second: 10,
      variant_b_burst: 20,
      otp_sends_per_number_per_10_minutes: 3,
      otp_verifications_per_number_per_10_minutes: 10,
      sms_per_number_per_minute: 10,
      otp_sends_per_prefix_per_hour: 300,
      stored_bytes_max: null,
    },
  };
}

/** Older settings can exceed today's limit. */
const OTP_RESEND_MAX = 5;

export function effectiveSettings(
  billingCountry: string,
  { chosen, floors }: StoredSettings,
): WorkspaceSettings {
  const defaults = defaultSettings(billingCountry);
  const floored = FLOOR_SETTINGS.map((name) => [
    name,
    stricter(name, chosen[name], floors[name]) ?? defaults[name],
  ]);
  return {
    ...defaults,
    ...chosen,
    ...(Object.fromEntries(floored) as Pick<WorkspaceSettings, FloorSetting>),
    otp_resend_max: Math.min(chosen.otp_resend_max ?? defaults.otp_resend_max, OTP_RESEND_MAX),
    anti_spam_allow: { ...defaults.anti_spam_allow, ...chosen.anti_spam_allow },
    otp_text: { ...chosen.otp_text },
    limits: { ...defaults.limits, ...chosen.limits },
  };
}

/** Checks what a schema cannot: countries and domains exist, own texts can contain a code. */
export function checkSettings(patch: OperatorSettingsPatch): void {
  for (const country of patch.enabled_countries ?? []) {
    checkCountry(country, 'settings.enabled_countries');
  }
  checkAntiSpamAllow(patch);
  checkOtpTemplates(patch);
}

function checkAntiSpamAllow({ anti_spam_allow: allow }: OperatorSettingsPatch): void {
  const field = (name: string) => `settings.anti_spam_allow.${name}`;
  if (!(allow?.sender_ids ?? []).every(isSenderId)) throw refused(field('sender_ids'), 'senderId');
  const isOwn = (domain: string) => isHostName(domain) && !isSharedDomain(domain);
  if (!(allow?.domains ?? []).every(isOwn)) throw refused(field('domains'), 'ownDomain');
}

function refused(field: string, problem: InputProblem): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
