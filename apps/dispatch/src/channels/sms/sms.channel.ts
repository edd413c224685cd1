import type { Reason } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import { Machine } from '../machine.js';
import type { TextChannel } from '../text-channel.js';
import { ENDED_STATES } from '../text-transitions.js';
import type { SmsContent } from './sms.content.js';
import { SMS_TRANSITIONS } from './sms.transitions.js';

/** Test numbers that are accepted, then refused before any attempt. */
const TEST_REFUSALS: Readonly<Record<number, Reason>> = {
  42: 'dnd_active',
  43: 'sender_id_rejected',
  44: 'invalid_number',
};

/**
 * The SMS channel. A second copy of a text annoys, so a lost answer is first settled by its receipt
 * (ADR 5).
 */
export const SMS_CHANNEL: TextChannel<SmsContent> = {
  kind: 'sms',
  machine: new Machine('sms', SMS_TRANSITIONS, [...ENDED_STATES, 'delivered']),
  awaitsLostAnswer: true,
  showsLateReceipts: true,

  neededCode: () => null,

  contentOf({ sms, segments }) {
    if (sms === null) throw new Error('a command of kind sms without its sms part');
    const { body, original_body: originalBody, rewritten, encoding } = sms;
    return { kind: 'sms', body, originalBody, rewritten, encoding, segments };
  },

  judged: ({ sms }) => sms && { text: sms.body, setting: sms.anti_spam },

  testRefusal({ testMode, destination }) {
    const digits = testMode ? magicNumber(destination) : null;
    return digits === null ? null : (TEST_REFUSALS[digits] ?? null);
  },

  text({ body }) {
    if (body === null) throw new Error('the text of a message has expired');
    return body;
  },
  expiresAt: () => null,
  isBornExpired: () => false,
  resendMax: () => 0,
  withoutSecrets: (content) => content,

  snapshot: ({ body, segments, encoding }) => ({ body, segments, encoding }),
  isContentExpired: ({ body }) => body === null,
  details: ({ originalBody, rewritten }) => ({ original_body: originalBody, rewritten, otp: null }),

  fromStored({ body, originalBody, rewritten, encoding, segments }) {
    return { kind: 'sms', body, originalBody, rewritten, encoding, segments };
  },
  toStored: (content) => content,
  changes: () => ({}),
};
