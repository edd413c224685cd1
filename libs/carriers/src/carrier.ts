import type { Clock } from '@watchword/contracts';
import { type Capacity, capacityOf, type CarrierCost } from './capacity/capacity.js';
import type { SubmitDeadlines } from './http/outcome.policy.js';
import type { SettingsClass, SmsAccountSettings } from './account-settings.js';
import { type CallbackReader, forAllKinds, type Provider } from './provider.port.js';

/**
 * A carrier is one object of this type in one folder. The settings of its accounts, its callback
 * routes and the reference page are derived from the registry.
 */
export interface CarrierBase<Settings extends object = object> {
  /** Stable name, shown on attempts and in callback paths, for example `africas_talking`. */
  readonly token: string;
  /** Name for people, for example `Africa’s Talking`. */
  readonly title: string;
  /** Settings of an account. Absent for a carrier whose accounts are all built in. */
  readonly settings?: SettingsClass<Settings>;
  /** Absent for a carrier that never calls back over HTTP. */
  readonly callback?: CallbackFacts;
  /** Ids of accounts that exist without settings. */
  readonly builtIn?: readonly string[];
}

/** An SMS carrier. */
export interface Carrier<Settings extends object = object> extends CarrierBase<Settings> {
  /** Absent where reports arrive on the account's own connection. */
  readonly callback?: CarrierCallbacks<Settings>;
  /** Capacity of an account, unless its settings replace it. */
  readonly capacity: Capacity;
  readonly deadlines: SubmitDeadlines;
  readonly cost: CarrierCost;
  /** Raw codes of failures for which the carrier itself knows no reason. No map can explain them. */
  readonly unexplained?: readonly string[];
  /** Whether a report with this word for its state is understood. One that is not is not final. */
  readonly knowsState?: (word: string) => boolean;
  /**
   * Raw codes of `message_invalid` with which the carrier says that a request was not built as it wants. Texts,
   * numbers and senders are checked before, so the mistake is the platform's.
   */
  readonly platformFaults?: readonly string[];
  /**
   * Creates the adapter of an account. It imports the adapter, so a process without the carrier
   * never loads it.
   */
  create(account: CarrierAccount<Settings>, context: CarrierContext): Promise<Provider>;
}

/** Where a carrier's callbacks are configured, and how they are authenticated. */
export interface CallbackFacts {
  /** `message`: the submit names the URL. `account`: an operator enters it at the carrier. */
  readonly urlSetBy: 'message' | 'account';
  /** Property of the settings that signs callbacks. Null where nothing is signed. */
  readonly signedWith: string | null;
  /** Property that makes proofs required. Without it the address alone is the proof. */
  readonly signedOnceSet?: string;
  /** Page where an operator enters the URL for delivery reports. Null where the submit names it. */
  readonly reportsPage: string | null;
  /** Page where an operator enters the URL for inbound messages. Null where they are not read. */
  readonly inboundPage: string | null;
  /** Page where an operator enters the URL for opt-outs. Absent where they have no own callback. */
  readonly optOutPage?: string;
}

export interface CarrierCallbacks<Settings extends object = object> extends CallbackFacts {
  reader(account: CarrierAccount<Settings>, context: CallbackContext): Promise<CallbackReader>;
}

export interface CallbackContext {
  readonly callbackSecrets: readonly string[];
  readonly clock?: Clock;
}

/** An account at a carrier. Several accounts may have the same carrier. */
export interface CarrierAccount<Settings extends object = object> {
  /** Name on attempts and in callback paths. */
  readonly id: string;
  /** Token of its carrier. */
  readonly carrier: string;
  readonly settings: Settings;
  /** Whether the simulator that runs beside the installation plays its carrier. */
  readonly isSimulated?: boolean;
}

export interface CarrierContext {
  readonly clock?: Clock;
  /** Public address of the gateway, without a slash at the end. */
  readonly callbackBaseUrl: string;
  /** The first secret of `CALLBACK_SECRET`. Each account uses a secret derived from it. */
  readonly callbackSecret: string;
  readonly deadlines?: SubmitDeadlines;
  readonly logger?: CarrierLogger;
}

/** Log of what an account meets on its own connection. */
export interface CarrierLogger {
  warn(fields: object, message: string): void;
}

/** Returns what every adapter needs: the account's common settings, or the carrier's values. */
export function accountOf(
  { id, settings }: CarrierAccount<SmsAccountSettings>,
  carrier: Pick<Carrier, 'capacity' | 'deadlines'>,
  { deadlines, clock }: CarrierContext,
) {
  const { senderId, senderNumber, dndCapable } = settings;
  return {
    id,
    defaultSenderId: senderId,
    senderNumber,
    // An operator's word holds for messages of each kind.
    dndCapable: dndCapable === null ? undefined : forAllKinds(dndCapable),
    capacity: capacityOf(carrier.capacity, settings),
    deadlines: deadlines ?? carrier.deadlines,
    clock,
  };
}
