/**
 * The registry of channels: kinds of messages to a phone number, and to another address. What is in
 * a message of a channel stands in the channel's folder.
 */
export const PHONE_KINDS = ['otp', 'sms'] as const;
export const ADDRESS_KINDS = ['email'] as const;
export const MESSAGE_KINDS = [...PHONE_KINDS, ...ADDRESS_KINDS] as const;

export type PhoneKind = (typeof PHONE_KINDS)[number];
export type MessageKind = (typeof MESSAGE_KINDS)[number];
