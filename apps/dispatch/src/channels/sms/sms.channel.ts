import { smsFields } from '@watchword/contracts';
import { Machine } from '../machine.js';
import type { TextChannel } from '../text-channel.js';
import { ENDED_STATES } from '../text-transitions.js';
import type { SmsContent } from './sms.content.js';
import { SMS_TRANSITIONS } from './sms.transitions.js';

/**
 * The SMS channel. A second copy of a text annoys, so a lost answer is first settled by its receipt
 * (ADR 5).
 */
export const SMS_CHANNEL: TextChannel<SmsContent> = {
  kind: 'sms',
  machine: new Machine('sms', SMS_TRANSITIONS, [...ENDED_STATES, 'delivered']),
  awaitsLostAnswer: true,
  learnsDoNotDisturb: true,
  showsLateReceipts: true,
  takesOptOuts: true,

  neededCode: () => null,

  contentOf({ sms, segments }) {
    if (sms === null) throw new Error('a command of kind sms without its sms part');
    const { body, original_body: originalBody, encoding, category } = sms;
    const fields = smsFields(sms);
    return { kind: 'sms', body, originalBody, category, encoding, segments, ...fields };
  },

  judged: ({ sms }) => sms && { text: sms.body, setting: sms.anti_spam },

  text({ body }) {
    if (body === null) throw new Error('the text of a message has expired');
    return body;
  },
  isPromotional: ({ category }) => category === 'promotional',
  expiresAt: () => null,
  isBornExpired: () => false,
  resendMax: () => 0,
  codeCipher: () => null,
  withoutSecrets: (content) => content,

  snapshot: ({ body, segments, encoding }) => ({ body, segments, encoding }),
  isContentExpired: ({ body }) => body === null,
  details: (content) => ({
    original_body: content.originalBody,
    ...(content.category && { category: content.category }),
    ...smsFields(content),
    otp: null,
  }),

  fromStored(stored) {
    const { body, originalBody, category, encoding, segments } = stored;
    const fields = smsFields(stored);
    return { kind: 'sms', body, originalBody, category, encoding, segments, ...fields };
  },
  toStored: (content) => content,
  changes: () => ({}),
};
