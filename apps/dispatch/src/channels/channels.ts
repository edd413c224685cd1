import { isPhoneKind, type PhoneKind, type SendMessage } from '@watchword/contracts';
import type { Channel } from './channel.js';
import { EMAIL_CHANNEL } from './email/email.channel.js';
import { OTP_CHANNEL } from './otp/otp.channel.js';
import type { OtpContent } from './otp/otp.content.js';
import { SMS_CHANNEL } from './sms/sms.channel.js';
import type { Content, TextChannel, TextCommand } from './text-channel.js';

/**
 * The registry of channels, and the only place of dispatch that distinguishes kinds. A channel is a
 * folder here: content, transition table, text, record, and the meaning of receipts, expiry and
 * cancellation. All of it is pure. What other services must know too is in `PHONE_CONTRACTS`.
 */
const TEXT_CHANNELS: Readonly<Record<PhoneKind, TextChannel>> = {
  otp: OTP_CHANNEL,
  sms: SMS_CHANNEL,
};

export const CHANNELS: readonly Channel[] = [...Object.values(TEXT_CHANNELS), EMAIL_CHANNEL];

export function channelOf({ kind }: { readonly kind: PhoneKind }): TextChannel {
  return TEXT_CHANNELS[kind];
}

/**
 * Returns whether a carrier delivers the message to a phone. Other channels have their own
 * handlers.
 */
export function isTextCommand(command: SendMessage): command is TextCommand {
  return isPhoneKind(command.kind);
}

/**
 * Returns the kinds of the channels that have a property, as a list in SQL. They are literals,
 * because the planner does not match a partial index with a parameter.
 */
export function kindsThat(has: (channel: TextChannel) => boolean): string {
  const kinds = Object.values(TEXT_CHANNELS).filter(has);
  return `(${kinds.map(({ kind }) => `'${kind}'`).join(', ')})`;
}

/** Returns the content of an OTP, or null for any other message. */
export function otpOf({ content }: { readonly content: Content }): OtpContent | null {
  return content.kind === 'otp' ? content : null;
}
