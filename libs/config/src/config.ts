import type { CarrierAccount } from '@watchword/carriers/registry';
import { type Setting, type SettingsClass, settingsOf } from './setting.js';
import { AntiSpamSettings } from './settings/anti-spam.settings.js';
import { CarrierSettings } from './settings/carrier.settings.js';
import { DatabaseSettings } from './settings/database.settings.js';
import { DoNotDisturbSettings } from './settings/do-not-disturb.settings.js';
import { EmailSettings } from './settings/email.settings.js';
import { HttpSettings } from './settings/http.settings.js';
import { InstallationSettings } from './settings/installation.settings.js';
import { InternalCallsSettings } from './settings/internal-calls.settings.js';
import { KafkaSettings } from './settings/kafka.settings.js';
import { LimitsSettings } from './settings/limits.settings.js';
import { ObservabilitySettings } from './settings/observability.settings.js';
import { PaymentSettings } from './settings/payment.settings.js';
import { RetentionSettings } from './settings/retention.settings.js';
import { SecuritySettings } from './settings/security.settings.js';
import { SignUpSettings } from './settings/sign-up.settings.js';
import { WebhookSettings } from './settings/webhook.settings.js';

/** Every setting of a process, as `loadConfig` reads them. */
export interface Config
  extends
    AntiSpamSettings,
    Omit<CarrierSettings, 'carriersFile'>,
    Omit<DatabaseSettings, 'databasePassword'>,
    DoNotDisturbSettings,
    EmailSettings,
    HttpSettings,
    InstallationSettings,
    InternalCallsSettings,
    KafkaSettings,
    LimitsSettings,
    ObservabilitySettings,
    PaymentSettings,
    RetentionSettings,
    SecuritySettings,
    SignUpSettings,
    WebhookSettings {
  /** Accounts at carriers: those of the file, and those that need no settings. */
  readonly carrierAccounts: readonly CarrierAccount[];
  /** Environment variables with secrets of these accounts. */
  readonly carrierVariables: readonly string[];
}

/** Returns the settings of one class from those of a process. */
export function settingsIn<Settings extends object>(
  config: Config,
  concern: SettingsClass<Settings>,
): Settings {
  const values = config as object as Readonly<Record<string, unknown>>;
  const settings = new concern();
  for (const { property } of settingsOf(concern)) {
    if (property in values) Object.assign(settings, { [property]: values[property] });
  }
  return settings;
}

/** The classes of settings, in the order of the reference page. */
export const concerns: readonly SettingsClass[] = [
  InstallationSettings,
  HttpSettings,
  DatabaseSettings,
  KafkaSettings,
  InternalCallsSettings,
  LimitsSettings,
  SecuritySettings,
  SignUpSettings,
  ObservabilitySettings,
  WebhookSettings,
  AntiSpamSettings,
  DoNotDisturbSettings,
  EmailSettings,
  PaymentSettings,
  RetentionSettings,
  CarrierSettings,
];

export const settings: readonly Setting[] = concerns.flatMap(settingsOf);
