import type { Clock } from '@watchword/contracts';
import type { CarrierCost, Capacity } from './capacity/capacity.js';
import type { SubmitDeadlines } from './http/outcome.policy.js';
import type { CallbackReader, Provider } from './provider.port.js';

/**
 * A carrier is one object of this type in one folder. Settings, secrets, the environment of
 * `docker-compose.yml`, callback routes and the reference page are derived from the registry.
 */
export interface CarrierBase {
  /** Stable name, public on attempts and in callback paths: `africas_talking`. */
  readonly token: string;
  /** As people write it: `Africa’s Talking`. */
  readonly title: string;
  /** What an account needs. `COMMON_SETTINGS` are added to each account with settings. */
  readonly settings: readonly CarrierSetting[];
  /** Missing for a carrier that never calls back over HTTP. */
  readonly callback?: CallbackFacts;
  /** Accounts that exist without settings. */
  readonly builtIn?: readonly string[];
}

/** A carrier of SMS. */
export interface Carrier extends CarrierBase {
  readonly callback?: CarrierCallbacks;
  /** `connection`: reports arrive on the account's own connection, see `Provider.start`. */
  readonly reports?: 'connection';
  /** Of one account, unless its settings say otherwise. */
  readonly capacity: Capacity;
  readonly deadlines: SubmitDeadlines;
  readonly cost: CarrierCost;
  /** The adapter is loaded here, so that a process without the carrier never loads it. */
  create(account: CarrierAccount, context: CarrierContext): Promise<Provider>;
}

/** Where callbacks of a carrier come from, and what proves them. */
export interface CallbackFacts {
  /** `message`: the submit names the URL. `account`: an operator enters it at the carrier. */
  readonly urlSetBy: 'message' | 'account';
  /** Key of the setting that signs callbacks; null where nothing is signed. */
  readonly signedWith: string | null;
  /** Where an operator enters the URL for delivery reports; null where the submit names it. */
  readonly reportsPage: string | null;
  /** Where an operator enters the URL for inbound messages; null where they are not read. */
  readonly inboundPage: string | null;
}

export interface CarrierCallbacks extends CallbackFacts {
  readonly channel?: undefined;
  reader(account: CarrierAccount): Promise<CallbackReader>;
}

/** An account at a carrier. Two accounts of one carrier are two of these. */
export interface CarrierAccount {
  /** As on attempts and in callback paths; the first account bears its carrier's token. */
  readonly id: string;
  /** Token of its carrier. */
  readonly carrier: string;
  /** By `CarrierSetting.key`; empty text where nothing is set. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface CarrierSetting {
  /** `authToken`. */
  readonly key: string;
  /** The end of the variable. Its start is the account id in capitals: `TWILIO_AUTH_TOKEN`. */
  readonly suffix: string;
  readonly kind: 'text' | 'url' | 'integer';
  /** An account without it submits nothing. */
  readonly required?: boolean;
  readonly secret?: boolean;
  readonly pattern?: RegExp;
  readonly meaning?: string;
  readonly fallbackText?: string;
  readonly services: readonly ('gateway' | 'dispatch')[];
  readonly sentence: string;
  /** What the account is where the carrier simulator plays the carrier. */
  readonly simulated?: SimulatedValue;
}

/** A fixed text, or a prefix and random hexadecimal digits. */
export type SimulatedValue = { readonly text: string } | RandomValue;
export interface RandomValue {
  readonly prefix: string;
  readonly randomBytes: number;
}

export interface CarrierContext {
  readonly clock?: Clock;
  /** Where carriers reach the gateway, without a slash at the end. */
  readonly callbackBaseUrl: string;
  /** `CALLBACK_SECRET`; accounts use what is derived from it. */
  readonly callbackSecret: string;
  readonly deadlines?: SubmitDeadlines;
}

/** Settings of every account. */
export const COMMON_SETTINGS: readonly CarrierSetting[] = [
  {
    key: 'senderId',
    suffix: 'SENDER_ID',
    kind: 'text',
    pattern: /^[A-Za-z0-9 .&_+-]{1,15}$/,
    meaning: 'at most 15 letters, digits, spaces, . & _ + or -',
    fallbackText: 'Watchword',
    services: ['dispatch'],
    sentence: 'Sender of messages that name none.',
  },
  {
    key: 'concurrency',
    suffix: 'CONCURRENCY',
    kind: 'integer',
    fallbackText: 'the carrier’s own, see the carriers’ page',
    services: ['dispatch'],
    sentence: 'Submits that may be unanswered at once.',
  },
  {
    key: 'messagesPerSecond',
    suffix: 'MESSAGES_PER_SECOND',
    kind: 'integer',
    fallbackText: 'the carrier’s own, see the carriers’ page',
    services: ['dispatch'],
    sentence: 'Submits that may start in one second.',
  },
];

const SENDER_ID = 'Watchword';

export function senderIdOf({ settings }: CarrierAccount): string {
  return settings.senderId || SENDER_ID;
}
