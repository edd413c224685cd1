export { callbackPathOf } from './callback-secret.js';
export type { CarrierAccount, CarrierSetting } from './carrier.js';
import { africasTalking } from './africas-talking/africas-talking.carrier.js';
import {
  type Carrier,
  type CarrierAccount,
  type CarrierContext,
  type CarrierSetting,
  COMMON_SETTINGS,
} from './carrier.js';
import type { Provider } from './provider.port.js';
import { simulator } from './simulator/simulator.carrier.js';
import { twilio } from './twilio/twilio.carrier.js';

/** One line per carrier. `npx nx g carrier <name>` adds one. */
export const CARRIERS: readonly Carrier[] = [
  // The order is that of settings and documents.
  twilio,
  africasTalking,
  simulator,
];

const BY_TOKEN = new Map(CARRIERS.map((carrier) => [carrier.token, carrier]));

/** The token of every carrier there is. */
export const PROVIDER_NAMES: readonly string[] = [...BY_TOKEN.keys()];

/** Undefined for a token that no carrier has. */
export function carrierOf(token: string): Carrier | undefined {
  return BY_TOKEN.get(token);
}

/** Every setting of an account: its carrier's, then those of each account. */
export function settingsOf(carrier: Carrier): readonly CarrierSetting[] {
  return carrier.settings.length === 0 ? [] : [...carrier.settings, ...COMMON_SETTINGS];
}

/** `TWILIO_AUTH_TOKEN`: the account id in capitals, then the setting. */
export function variableOf(accountId: string, { suffix }: CarrierSetting): string {
  return `${accountId.toUpperCase()}_${suffix}`;
}

/** Accounts that need no settings: the simulators of test mode. */
export function builtInAccounts(): CarrierAccount[] {
  return CARRIERS.flatMap(({ token, builtIn = [] }) =>
    builtIn.map((id) => ({ id, carrier: token, settings: {} })),
  );
}

/** Whether the settings suffice to submit. */
export function canSubmit({ carrier, settings }: CarrierAccount): boolean {
  const needed = carrierOf(carrier)?.settings.filter(({ required }) => required) ?? [];
  return needed.every(({ key }) => (settings[key] ?? '') !== '');
}

/** Whether callbacks of the account can be told from forged ones. */
export function canVerifyCallbacks({ carrier, settings }: CarrierAccount): boolean {
  const callback = carrierOf(carrier)?.callback;
  if (callback === undefined) return false;
  return callback.signedWith === null || (settings[callback.signedWith] ?? '') !== '';
}

/** Every account that can submit, by its id; not started. */
export async function createProviders(
  accounts: readonly CarrierAccount[],
  context: CarrierContext,
): Promise<Map<string, Provider>> {
  const made = accounts.filter(canSubmit).map(async (account): Promise<[string, Provider]> => {
    const carrier = BY_TOKEN.get(account.carrier)!;
    return [account.id, await carrier.create(account, context)];
  });
  return new Map(await Promise.all(made));
}

/** What clients see: the simulators are one to them. */
export function publicProviderName(name: string): string {
  return name.startsWith('simulator_') ? 'simulator' : name;
}
