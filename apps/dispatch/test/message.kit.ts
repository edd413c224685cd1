import { forAllKinds } from '@watchword/carriers';
import { newId } from '@watchword/contracts';
import type { Message } from '../src/messages/message.js';
import { newMessage, withFirstAttempt } from '../src/sending/new-message.policy.js';
import { otpCommand, smsCommand } from './commands.kit.js';

export const AT = new Date('2026-11-20T08:00:00.000Z');
export const SENDER = newId();

/** Whether a candidate may send to numbers on a Do Not Disturb registry, messages of either kind. */
export const dndCapable = forAllKinds;

export const later = (milliseconds: number) => new Date(AT.getTime() + milliseconds);

/** Returns a message as it is once stored, with its first attempt on record. */
export function message(
  kind: 'otp' | 'sms',
  { provider = 'one', ...change }: Partial<Message> & { provider?: string } = {},
): Message {
  const created_at = AT.toISOString();
  const command = kind === 'otp' ? otpCommand({ created_at }) : smsCommand({ created_at });
  const code = kind === 'otp' ? { codeHash: 'hash', codeCipher: 'cipher' } : null;
  return { ...withFirstAttempt(newMessage(command, code, AT), provider, SENDER, AT), ...change };
}
