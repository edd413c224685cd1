import { type Reason, type SendMessage, textKindOf } from '@watchword/contracts';
import { testAttemptBudget } from '@watchword/carriers';
import { magicNumber, measureSegments, renderOtpText } from '@watchword/telephony';
import { tagged } from '../fraud/anti-spam/screening.policy.js';
import type { Verdict } from '../fraud/anti-spam/verdict.js';
import { type Attempt, type Message, newAttempt, type Otp } from '../messages/message.js';
import { block, fail, isExpiredFromBirth, isLapsed } from '../messages/message-change.policy.js';

/** A code as it is stored. */
export interface StoredCode {
  readonly codeHash: string;
  readonly codeCipher: string;
}

/** The message that a command makes: `accepted`, and not yet given to anybody. */
export function newMessage(command: SendMessage, code: StoredCode | null, at: Date): Message {
  const { sms } = command;
  return {
    id: command.message_id,
    workspaceId: command.workspace_id,
    kind: textKindOf(command),
    family: command.family,
    testMode: command.test_mode,
    destination: command.destination,
    countryCode: command.country_code,
    network: command.network,
    senderId: command.sender_id,
    body: sms?.body ?? null,
    originalBody: sms?.original_body ?? null,
    rewritten: sms?.rewritten ?? false,
    encoding: sms?.encoding ?? encodingOfOtp(command),
    segments: command.segments,
    credits: command.credits,
    priceRule: command.price_rule,
    creditPrice: command.credit_price ?? null,
    metadata: command.metadata,
    createdAt: new Date(command.created_at),
    sendAt: command.send_at ? new Date(command.send_at) : null,
    state: isAhead(command, at) ? 'scheduled' : 'accepted',
    version: 1,
    provider: null,
    providerMessageId: null,
    reason: null,
    refunded: null,
    settledAt: null,
    sentAt: null,
    deliveredAt: null,
    verifiedAt: null,
    endedAt: null,
    updatedAt: at,
    antispam: null,
    otp: code === null ? null : otpOf(command, code),
    resends: [],
    attempts: [],
  };
}

/** It waits for its `send_at`. */
export function isAhead({ send_at: sendAt }: SendMessage, at: Date): boolean {
  return sendAt != null && Date.parse(sendAt) > at.getTime();
}

/** Test numbers that are accepted and then refused before any attempt. */
const TEST_REFUSALS: Readonly<Record<number, Reason>> = {
  42: 'dnd_active',
  43: 'sender_id_rejected',
  44: 'invalid_number',
};

export function testRefusal({ kind, testMode, destination }: Message): Reason | null {
  const digits = kind === 'sms' && testMode ? magicNumber(destination) : null;
  return digits === null ? null : (TEST_REFUSALS[digits] ?? null);
}

/** With what the spam filter said: blocked, tagged, or only on record. */
export function screened(message: Message, verdict: Verdict | undefined, at: Date): Message {
  if (verdict === undefined) return message;
  const judged = { ...message, antispam: verdict };
  if (verdict.action === 'block') return block(judged, at);
  if (verdict.action === 'none') return judged;
  return { ...judged, metadata: tagged(message.metadata, verdict) };
}

/** With its first attempt, which must be on record before the call; or failed, when none can be made. */
export function withFirstAttempt(
  message: Message,
  provider: string | undefined,
  heldBy: string,
  at: Date,
): Message {
  if (isLapsed(message, at)) return fail(message, 'expired', at);
  if (provider === undefined) return fail(message, 'no_route', at);
  const attempts: Attempt[] = [newAttempt(message, provider, heldBy, at)];
  return { ...message, attempts };
}

/** What the provider is to send. The code of an SMS is null. */
export function textOf(message: Message, code: string | null): string {
  if (message.otp === null || code === null) return message.body ?? '';
  const { template, lastLine } = message.otp;
  const text = { ...message.otp, code, template: template ?? undefined };
  return renderOtpText({ ...text, lastLine: lastLine ?? undefined });
}

function otpOf(command: SendMessage, code: StoredCode): Otp {
  const { otp } = command;
  if (otp === null) throw new Error('a command of kind otp without its otp part');
  const isBornExpired = isExpiredFromBirth({
    kind: textKindOf(command),
    testMode: command.test_mode,
    destination: command.destination,
  });
  const budget = command.test_mode ? testAttemptBudget(command.destination) : null;
  return {
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
}

/** Digits are all the same to an encoding, so zeros stand in for the code. */
function encodingOfOtp({ otp }: SendMessage): 'GSM-7' | 'UCS-2' {
  if (otp === null) return 'GSM-7';
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
