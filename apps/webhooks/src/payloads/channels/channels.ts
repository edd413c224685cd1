import type { MessageSnapshot } from '@watchword/contracts';
import type { Channel } from './channel.js';
import { OTP_CHANNEL } from './otp.js';
import { SMS_CHANNEL } from './sms.js';

/** The kinds of texts. Emails have their own events. */
export const CHANNELS: Readonly<Record<MessageSnapshot['kind'], Channel>> = {
  otp: OTP_CHANNEL,
  sms: SMS_CHANNEL,
};
