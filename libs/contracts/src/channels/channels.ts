/**
 * The kinds of messages, by what they are sent to: a phone number or an email address. What is in a
 * message of a channel stands in the channel's folder.
 */
export const PHONE_KINDS = ['otp', 'sms'] as const;
export const EMAIL_KINDS = ['email'] as const;
export const MESSAGE_KINDS = [...PHONE_KINDS, ...EMAIL_KINDS] as const;

export type PhoneKind = (typeof PHONE_KINDS)[number];
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Whether a carrier delivers it to a phone. */
export function isPhoneKind(kind: string): kind is PhoneKind {
  return PHONE_KINDS.some((known) => known === kind);
}

/** Returns the kind in code that handles only messages to a phone. */
export function phoneKindOf({ kind }: { readonly kind: MessageKind }): PhoneKind {
  if (isPhoneKind(kind)) return kind;
  throw new Error(`a message of kind ${kind} has no number`);
}
