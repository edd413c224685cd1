export { type AccountMember, membersOf } from './account-settings.js';
export { callbackPathOf } from './callback-secret.js';
export type { CarrierAccount } from './carrier.js';
import type { Reason } from '@watchword/contracts';
import { africasTalking } from './africas-talking/africas-talking.carrier.js';
import { type AccountMember, membersOf } from './account-settings.js';
import type { Carrier, CarrierAccount, CarrierBase, CarrierContext } from './carrier.js';
import type { EmailProvider } from './email-provider.port.js';
import type { EmailCarrier } from './email/email-carrier.js';
import { infobip } from './infobip/infobip.carrier.js';
import { plivo } from './plivo/plivo.carrier.js';
import type { Provider } from './provider.port.js';
import { ses } from './ses/ses.carrier.js';
import { simulator } from './simulator/simulator.carrier.js';
import { smpp } from './smpp/smpp.carrier.js';
import { smtp } from './smtp/smtp.carrier.js';
import { termii } from './termii/termii.carrier.js';
import { twilio } from './twilio/twilio.carrier.js';
import { vonage } from './vonage/vonage.carrier.js';

/** One line per carrier of SMS. `npx nx g carrier <name>` adds one. */
export const CARRIERS: readonly Carrier[] = [
  // Settings and documents have this order.
  twilio,
  africasTalking,
  vonage,
  infobip,
  termii,
  plivo,
  smpp,
  simulator,
];

/** Carriers of email, in the order in which they are tried. */
export const EMAIL_CARRIERS: readonly EmailCarrier[] = [smtp, ses];

/** Carriers of all channels. */
export const ALL_CARRIERS: readonly (Carrier | EmailCarrier)[] = [...CARRIERS, ...EMAIL_CARRIERS];

const BY_TOKEN = new Map(CARRIERS.map((carrier) => [carrier.token, carrier]));
const EMAIL_BY_TOKEN = new Map(EMAIL_CARRIERS.map((carrier) => [carrier.token, carrier]));

/** Tokens of the carriers of SMS. */
export const PROVIDER_NAMES: readonly string[] = [...BY_TOKEN.keys()];

export const CARRIER_TOKENS: readonly string[] = ALL_CARRIERS.map(({ token }) => token);

export function carrierOf(token: string): Carrier | EmailCarrier | undefined {
  return BY_TOKEN.get(token) ?? EMAIL_BY_TOKEN.get(token);
}

/** Returns the settings of an account at this carrier. */
export function settingsOf({ settings }: CarrierBase): readonly AccountMember[] {
  return settings === undefined ? [] : membersOf(settings);
}

/** Creates an account from values by property. Those that are absent have their defaults. */
export function accountFrom(
  token: string,
  values: object,
  { id = token, isSimulated }: { id?: string; isSimulated?: boolean } = {},
): CarrierAccount {
  const Settings = carrierOf(token)?.settings ?? class {};
  const settings = Object.assign(new Settings(), values);
  return { id, carrier: token, settings, ...(isSimulated && { isSimulated }) };
}

/** Returns accounts that need no settings: the simulators of test mode. */
export function builtInAccounts(): CarrierAccount[] {
  return CARRIERS.flatMap(({ token, builtIn = [] }) =>
    builtIn.map((id) => ({ id, carrier: token, settings: {} })),
  );
}

/** Returns whether the settings suffice to submit. The gateway knows no secrets of submits. */
export function canSubmit({ carrier, settings }: CarrierAccount): boolean {
  const needed = settingsOf(carrierOf(carrier)!).filter(({ required }) => required);
  return needed.every(({ property }) => isSet(settings, property));
}

export function canVerifyCallbacks({ carrier, settings }: CarrierAccount): boolean {
  const callback = carrierOf(carrier)?.callback;
  if (callback === undefined) return false;
  return callback.signedWith === null || isSet(settings, callback.signedWith);
}

/** Returns whether a property of the settings has a value. */
export function isSet(settings: object, property: string): boolean {
  const value = (settings as Readonly<Record<string, unknown>>)[property];
  return value !== undefined && value !== null && value !== '' && !isEmpty(value);
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Creates every SMS account that can submit, by its id, carrier after carrier. They are not started. */
export function createProviders(
  accounts: readonly CarrierAccount[],
  context: CarrierContext,
): Promise<Map<string, Provider>> {
  return create(BY_TOKEN, accounts, context);
}

/**
 * Creates every email account that can submit, in the order in which they are tried: carrier after
 * carrier. They are not started.
 */
export function createEmailProviders(
  accounts: readonly CarrierAccount[],
  context: CarrierContext,
): Promise<Map<string, EmailProvider>> {
  return create(EMAIL_BY_TOKEN, accounts, context);
}

interface Creating<Made> {
  create(account: CarrierAccount, context: CarrierContext): Promise<Made>;
}

async function create<Made>(
  carriers: ReadonlyMap<string, Creating<Made>>,
  accounts: readonly CarrierAccount[],
  context: CarrierContext,
): Promise<Map<string, Made>> {
  const able = accounts.filter(canSubmit);
  const byCarrier = [...carriers.keys()].flatMap((token) =>
    able.filter(({ carrier }) => carrier === token),
  );
  const made = byCarrier.map(async (account): Promise<[string, Made]> => [
    account.id,
    await carriers.get(account.carrier)!.create(account, context),
  ]);
  return new Map(await Promise.all(made));
}

/** Returns whether the carrier itself gives no reason with this code. */
export function isUnexplained(token: string, rawCode: string): boolean {
  return BY_TOKEN.get(token)?.unexplained?.includes(rawCode) ?? false;
}

/** Returns whether a report that is not final says a word for its state that nobody knows. */
export function isUnknownState(token: string, word: string): boolean {
  return BY_TOKEN.get(token)?.knowsState?.(word) === false;
}

/**
 * Returns whether the carrier says with this code that the platform built a request wrongly. The same code can have
 * another reason in a report.
 */
export function isPlatformFault(token: string, reason: Reason, rawCode: string): boolean {
  if (reason !== 'message_invalid') return false;
  return BY_TOKEN.get(token)?.platformFaults?.includes(rawCode) ?? false;
}

/** Returns the name in metrics, logs and traces. The three simulators have one name. */
export function providerLabel(name: string): string {
  return name.startsWith('simulator_') ? 'simulator' : name;
}
