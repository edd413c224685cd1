import {
  type OtpContent as OtpCommand,
  type SendMessage,
  timeOrNull,
  timeText,
} from '@watchword/contracts';
import { testAttemptBudget, testExpiresAtOnce, testOtpCode } from '@watchword/carriers';
import { measureSegments, renderOtpText } from '@watchword/telephony';
import { Machine } from '../machine.js';
import type { TextChannel } from '../text-channel.js';
import { ENDED_STATES } from '../text-transitions.js';
import type { OtpContent } from './otp.content.js';
import { OTP_TRANSITIONS } from './otp.transitions.js';

/**
 * The OTP channel. A late code is useless: after an ambiguous answer the next provider is asked at
 * once, and an expired code goes to no provider.
 */
export const OTP_CHANNEL: TextChannel<OtpContent> = {
  kind: 'otp',
  machine: new Machine('otp', OTP_TRANSITIONS, ENDED_STATES),
  awaitsLostAnswer: false,
  learnsDoNotDisturb: false,
  showsLateReceipts: false,
  takesOptOuts: false,

  neededCode(command) {
    const { code_length: length } = partOf(command);
    return { length, fixed: command.test_mode ? testOtpCode(command.destination, length) : null };
  },

  contentOf(command, code) {
    if (code === null) throw new Error('a one-time password without its code');
    const otp = partOf(command);
    const { test_mode: testMode, destination, segments } = command;
    const isBornExpired = this.isBornExpired({ testMode, destination });
    const budget = testMode ? testAttemptBudget(destination) : null;
    return {
      kind: 'otp',
      encoding: encodingOf(otp),
      segments,
      codeLength: otp.code_length,
      ttlSeconds: otp.ttl_seconds,
      expiresAt: new Date(isBornExpired ? command.created_at : otp.expires_at),
      language: otp.language,
      brand: otp.brand,
      template: otp.template,
      lastLine: otp.last_line ?? null,
      resendMax: otp.resend_max ?? 0,
      maxAttempts: budget ?? otp.max_attempts,
      attemptCount: 0,
      ...code,
    };
  },

  judged: () => null,

  text({ template, lastLine, ...content }, code, resentAt) {
    if (code === null) return '';
    const ttlSeconds = resentAt === null ? content.ttlSeconds : leftSeconds(content, resentAt);
    const optional = { template: template ?? undefined, lastLine: lastLine ?? undefined };
    return renderOtpText({ ...content, ...optional, ttlSeconds, code });
  },
  isPromotional: () => false,

  expiresAt: ({ expiresAt }) => expiresAt,
  isBornExpired: ({ testMode, destination }) => testMode && testExpiresAtOnce(destination),
  resendMax: ({ resendMax }) => resendMax,
  codeCipher: ({ codeCipher }) => codeCipher,
  withoutSecrets: (content) => ({ ...content, codeCipher: null }),

  isContentExpired: () => false,
  snapshot: ({ segments, encoding }) => ({ body: null, segments, encoding }),

  details: (content, verifiedAt) => ({
    original_body: null,
    rewritten: false,
    otp: {
      code_length: content.codeLength,
      ttl_seconds: content.ttlSeconds,
      expires_at: timeText(content.expiresAt),
      language: content.language,
      attempt_count: content.attemptCount,
      max_attempts: content.maxAttempts,
      verified_at: timeOrNull(verifiedAt),
    },
  }),

  fromStored({ otp, encoding, segments }) {
    if (otp === null) throw new Error('a one-time password is stored without its code');
    return { kind: 'otp', encoding, segments, ...otp, expiresAt: new Date(otp.expiresAt) };
  },
  toStored: (content) => ({ ...content, rewritten: false }),
  changes: ({ attemptCount, codeCipher }) => ({ attemptCount, codeCipher }),
};

/**
 * Returns the seconds that a resent code has left. They are whole minutes where the first text named minutes, so
 * that this text is never longer than the one that was priced.
 */
function leftSeconds(
  { ttlSeconds, expiresAt }: Pick<OtpContent, 'ttlSeconds' | 'expiresAt'>,
  resentAt: Date,
): number {
  const seconds = Math.max(Math.ceil((expiresAt.getTime() - resentAt.getTime()) / 1_000), 1);
  const shown = ttlSeconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
  return Math.min(shown, ttlSeconds);
}

function partOf({ otp }: SendMessage): OtpCommand {
  if (otp === null) throw new Error('a command of kind otp without its otp part');
  return otp;
}

/** All digits have the same encoding, so zeros replace the code. */
function encodingOf(otp: OtpCommand): OtpContent['encoding'] {
  const text = renderOtpText({
    language: otp.language,
    brand: otp.brand,
    code: '0'.repeat(otp.code_length),
    ttlSeconds: otp.ttl_seconds,
    template: otp.template ?? undefined,
    lastLine: otp.last_line ?? undefined,
  });
  return measureSegments(text).encoding;
}
