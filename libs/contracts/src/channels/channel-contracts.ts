import type { ErrorText } from '../errors/error-catalogue.js';
import type { ChannelContract, EventNames, PhoneChannelContract } from './channel-contract.js';
import type { MessageKind, PhoneKind } from './channels.js';
import { EMAIL_CONTRACT } from './email/email.contract.js';
import { OTP_CONTRACT } from './otp/otp.contract.js';
import { SMS_CONTRACT } from './sms/sms.contract.js';

/** The registry of the contracts of kinds that carriers deliver to phones. */
export const PHONE_CONTRACTS: Readonly<Record<PhoneKind, PhoneChannelContract>> = {
  otp: OTP_CONTRACT,
  sms: SMS_CONTRACT,
};
const CONTRACTS: Readonly<Record<MessageKind, ChannelContract>> = {
  ...PHONE_CONTRACTS,
  email: EMAIL_CONTRACT,
};

export function contractOf(kind: MessageKind): ChannelContract {
  return CONTRACTS[kind];
}

/** Returns the contract of a kind that a caller names. Undefined for an unknown kind. */
export function knownContract(kind: string): ChannelContract | undefined {
  return Object.hasOwn(CONTRACTS, kind) ? CONTRACTS[kind as MessageKind] : undefined;
}

/** The sentence of a 404, by kind. */
export const UNKNOWN_MESSAGES = Object.fromEntries(
  Object.entries(CONTRACTS).map(([kind, { notFound }]) => [kind, notFound]),
) as Record<MessageKind, ErrorText>;

const namesIn = (names: EventNames) => Object.values(names).filter((name) => name !== null);
const phoneContracts = Object.values(PHONE_CONTRACTS);

/** Names of all events of messages to a phone in variant A. */
export const MESSAGE_EVENTS_OF_A: ReadonlySet<string> = new Set(
  phoneContracts.flatMap(({ eventNamesOfA }) => namesIn(eventNamesOfA)),
);
/** Names that only variant B has. */
export const MESSAGE_EVENTS_OF_B: ReadonlySet<string> = new Set(
  phoneContracts
    .flatMap(({ eventNamesOfB }) => namesIn(eventNamesOfB))
    .filter((name) => !MESSAGE_EVENTS_OF_A.has(name)),
);
