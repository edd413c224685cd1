import type { Clock } from '@watchword/contracts';
import { type Capacity, capacityOf, type CarrierCost } from './capacity/capacity.js';
import type { SubmitDeadlines } from './http/outcome.policy.js';
import {
  type CallbackReader,
  type DndCapable,
  dndCapableForAll,
  type Provider,
} from './provider.port.js';

/**
 * A carrier is one object of this type in one folder. Settings, secrets, the environment of
 * `docker-compose.yml`, callback routes and the reference page are derived from the registry.
 */
export interface CarrierBase {
  /** Stable name, shown on attempts and in callback paths, for example `africas_talking`. */
  readonly token: string;
  /** Name for people, for example `Africa’s Talking`. */
  readonly title: string;
  /** Settings of an account. `COMMON_SETTINGS` are added to each account that has settings. */
  readonly settings: readonly CarrierSetting[];
  /** Absent for a carrier that never calls back over HTTP. */
  readonly callback?: CallbackFacts;
  /** Ids of accounts that exist without settings. */
  readonly builtIn?: readonly string[];
}

/** An SMS carrier. */
export interface Carrier extends CarrierBase {
  /** Absent where reports arrive on the account's own connection. */
  readonly callback?: CarrierCallbacks;
  /** Capacity of an account, unless its settings replace it. */
  readonly capacity: Capacity;
  readonly deadlines: SubmitDeadlines;
  readonly cost: CarrierCost;
  /** Raw codes of failures for which the carrier itself knows no reason. No map can explain them. */
  readonly unexplained?: readonly string[];
  /**
   * Raw codes of `message_invalid` with which the carrier says that a request was not built as it wants. Texts,
   * numbers and senders are checked before, so the mistake is the platform's.
   */
  readonly platformFaults?: readonly string[];
  /**
   * Creates the adapter of an account. It imports the adapter, so a process without the carrier
   * never loads it.
   */
  create(account: CarrierAccount, context: CarrierContext): Promise<Provider>;
}

/** Where a carrier's callbacks are configured, and how they are authenticated. */
export interface CallbackFacts {
  /** `message`: the submit names the URL. `account`: an operator enters it at the carrier. */
  readonly urlSetBy: 'message' | 'account';
  /** Key of the setting that signs callbacks. Null where nothing is signed. */
  readonly signedWith: string | null;
  /** Key of a setting that makes proofs required. Without it the address alone is the proof. */
  readonly signedOnceSet?: string;
  /** Page where an operator enters the URL for delivery reports. Null where the submit names it. */
  readonly reportsPage: string | null;
  /** Page where an operator enters the URL for inbound messages. Null where they are not read. */
  readonly inboundPage: string | null;
  /** Page where an operator enters the URL for opt-outs. Absent where they have no own callback. */
  readonly optOutPage?: string;
}

export interface CarrierCallbacks extends CallbackFacts {
  reader(account: CarrierAccount, context: CallbackContext): Promise<CallbackReader>;
}

export interface CallbackContext {
  readonly callbackSecrets: readonly string[];
  readonly clock?: Clock;
}

/** An account at a carrier. Several accounts may have the same carrier. */
export interface CarrierAccount {
  /** Name on attempts and in callback paths. A carrier's first account has the carrier's token. */
  readonly id: string;
  /** Token of its carrier. */
  readonly carrier: string;
  /** Values by `CarrierSetting.key`. An unset value is an empty text. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface CarrierSetting {
  /** Name in code, for example `authToken`. */
  readonly key: string;
  /** End of the variable's name. It starts with the account id in capitals: `TWILIO_AUTH_TOKEN`. */
  readonly suffix: string;
  readonly kind: 'text' | 'url' | 'integer' | 'port';
  /** Whether an account without it can submit nothing. */
  readonly required?: boolean;
  /** Key of a setting without which this one means nothing. */
  readonly needs?: string;
  readonly secret?: boolean;
  readonly pattern?: RegExp;
  readonly meaning?: string;
  readonly fallbackText?: string;
  readonly services: readonly ('gateway' | 'dispatch')[];
  readonly sentence: string;
  /** Value for the carrier simulator. */
  readonly simulated?: SimulatedValue;
}

/** A fixed text, or a prefix with random hexadecimal digits. */
export type SimulatedValue = { readonly text: string } | RandomValue;
export interface RandomValue {
  readonly prefix: string;
  readonly randomBytes: number;
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

/** Settings that every account has. */
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
    key: 'senderNumber',
    suffix: 'SENDER_NUMBER',
    kind: 'text',
    pattern: /^\+?[0-9]{3,15}$/,
    meaning: '3 to 15 digits, with or without +',
    fallbackText: 'none: senders are handed over as they are',
    services: ['dispatch'],
    sentence:
      'Number that replaces a sender with letters, also that of one-time passwords, in countries whose rule ' +
      'says `replaced` and is enforced.',
  },
  {
    key: 'dndCapable',
    suffix: 'DND_CAPABLE',
    kind: 'text',
    pattern: /^(?:true|false)$/,
    meaning: 'true or false',
    fallbackText:
      'false; for Termii, true for one-time passwords, and for texts if the channel is dnd',
    services: ['dispatch'],
    sentence:
      'Whether the account may send one-time passwords and transactional texts to numbers on a ' +
      'Do Not Disturb registry.',
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

/** Returns what every adapter needs: the account's common settings, or the carrier's values. */
export function accountOf(
  { id, settings }: CarrierAccount,
  carrier: Carrier,
  { deadlines, clock }: CarrierContext,
) {
  return {
    id,
    defaultSenderId: settings.senderId || SENDER_ID,
    senderNumber: settings.senderNumber || null,
    dndCapable: dndCapableOf(settings),
    capacity: capacityOf(carrier.capacity, settings),
    deadlines: deadlines ?? carrier.deadlines,
    clock,
  };
}

/** An operator's word holds for messages of each kind. */
function dndCapableOf({ dndCapable }: CarrierAccount['settings']): DndCapable | undefined {
  if (!dndCapable) return undefined;
  return dndCapableForAll(dndCapable === 'true');
}
