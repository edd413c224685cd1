import {
  type FoundEmail,
  type FoundMessage,
  isPhoneKind,
  type ListedMessage,
  type MessageKind,
  type MessageRecord,
  otpDetails,
  type PhoneKind,
  smsDetails,
} from '@watchword/contracts';

/**
 * What the gateway does differently by kind, before a message is accepted and when it is listed.
 */
export interface Channel {
  /** Whether pumping applies: prefixes are throttled, and trial workspaces share limits. */
  readonly isPumped: boolean;
  /** Whether the test numbers of do-not-disturb and sender IDs are refused at once. */
  readonly refusesAtOnce: boolean;
  readonly invalidNumber: 'validation_error' | 'phone_invalid';
  /** Whether a quote of it may be longer than one text. */
  readonly hasLongBody: boolean;
}

/** The registry of channels, and the only place of the gateway that distinguishes kinds. */
const CHANNELS: Readonly<Record<MessageKind, Channel>> = {
  otp: {
    isPumped: true,
    refusesAtOnce: false,
    invalidNumber: 'validation_error',
    hasLongBody: false,
  },
  sms: {
    isPumped: false,
    refusesAtOnce: true,
    invalidNumber: 'phone_invalid',
    hasLongBody: false,
  },
  email: {
    isPumped: false,
    refusesAtOnce: true,
    invalidNumber: 'phone_invalid',
    hasLongBody: true,
  },
};

export function channelOf(kind: MessageKind): Channel {
  return CHANNELS[kind];
}

/** Returns the channel of a kind that a caller names. Undefined for an unknown kind. */
export function knownChannel(kind: string): Channel | undefined {
  return (CHANNELS as Readonly<Record<string, Channel>>)[kind];
}

export function isEmail(record: FoundMessage): record is FoundEmail {
  return !isPhoneKind(record.kind);
}

type List = (record: MessageRecord) => ListedMessage;

/** Lists of all kinds show these. An SMS also shows the text that its sender gave. */
const LISTED: Readonly<Record<PhoneKind, List>> = {
  otp: (record) => ({ kind: 'otp', ...otpDetails(record) }),
  sms: (record) => ({
    kind: 'sms',
    ...smsDetails(record),
    original_message: record.original_body ?? undefined,
  }),
};

/** Returns the kind in code that handles only messages to a phone. */
export function phoneKindOf({ kind }: { readonly kind: MessageKind }): PhoneKind {
  if (isPhoneKind(kind)) return kind;
  throw new Error(`a message of kind ${kind} has no number`);
}

export const listedMessage: List = (record) => LISTED[record.kind](record);
