import type { SendMessage } from '@watchword/contracts';
import type { Channel } from './channel.js';
import { EMAIL_CHANNEL } from './email/email.channel.js';
import { OTP_CHANNEL } from './otp/otp.channel.js';
import type { OtpContent } from './otp/otp.content.js';
import { SMS_CHANNEL } from './sms/sms.channel.js';
import type { Content, TextChannel, TextCommand, TextKind } from './text-channel.js';

/**
 * The registry of channels, and the one place that tells kinds apart. A channel is a folder here: content,
 * transition table, text, record, and what receipts, expiry and cancellation mean. All of it is pure.
 */
const TEXT_CHANNELS: Readonly<Record<TextKind, TextChannel>> = {
  otp: OTP_CHANNEL,
  sms: SMS_CHANNEL,
};

export const CHANNELS: readonly Channel[] = [...Object.values(TEXT_CHANNELS), EMAIL_CHANNEL];

export function channelOf({ kind }: { readonly kind: TextKind }): TextChannel {
  return TEXT_CHANNELS[kind];
}

/** Whether a carrier takes it to a phone; the other channels have handlers of their own. */
export function isText(command: SendMessage): command is TextCommand {
  return command.kind in TEXT_CHANNELS;
}

/** Whether a caller that asks for messages of this kind means this one. */
export function isOfKind({ kind }: Content, wanted: string): boolean {
  return kind === wanted;
}

/** The content of a one-time password; null for every other message. */
export function otpOf({ content }: { readonly content: Content }): OtpContent | null {
  return content.kind === 'otp' ? content : null;
}
