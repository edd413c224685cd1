import type { MessageSnapshot } from '@watchword/contracts';
import type { Channel } from './channel.js';
import { otpChannel } from './otp.js';
import { smsChannel } from './sms.js';

/** The kinds of texts. Emails have their own events. */
export const CHANNELS: Readonly<Record<MessageSnapshot['kind'], Channel>> = {
  otp: otpChannel,
  sms: smsChannel,
};
