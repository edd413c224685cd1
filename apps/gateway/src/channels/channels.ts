import { isPhoneKind, type MessageKind, type PhoneKind } from '@watchword/contracts';

/** What the gateway does differently by kind, before a message is accepted. */
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

/** Returns the kind in code that handles only messages to a phone. */
export function phoneKindOf({ kind }: { readonly kind: MessageKind }): PhoneKind {
  if (isPhoneKind(kind)) return kind;
  throw new Error(`a message of kind ${kind} has no number`);
}
