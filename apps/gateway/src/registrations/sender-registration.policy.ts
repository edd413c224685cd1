import {
  ApiError,
  type DestinationFinding,
  ERROR_MESSAGES,
  type WorkspaceSettings,
} from '@watchword/contracts';
import type { SendWords } from '../inputs/send-words.policy.js';

export type SenderVerdict = 'pass' | 'warn' | 'not_approved' | 'protected';

export interface SenderTerms {
  readonly enforcement: WorkspaceSettings['sender_id_enforcement'];
  /** Every workspace may use it. */
  readonly isShared: boolean;
  /** Whether it is the name of a bank or an operator, which needs an approved registration. */
  readonly isProtected: boolean;
}

/** Judges a live send's sender ID in the destination country. */
export function judgeSender(
  { sender }: Pick<DestinationFinding, 'sender'>,
  { enforcement, isShared, isProtected }: SenderTerms,
): SenderVerdict {
  if (sender === 'usable') return 'pass';
  if (sender === 'barred') return 'not_approved';
  if (isProtected) return 'protected';
  if (enforcement === 'off' || isShared) return 'pass';
  return enforcement === 'enforce' ? 'not_approved' : 'warn';
}

export function senderRefused(
  verdict: 'not_approved' | 'protected',
  { sender: field }: SendWords,
): ApiError {
  const message =
    verdict === 'protected' ? ERROR_MESSAGES.protectedSenderId : ERROR_MESSAGES.senderNotApproved;
  return new ApiError('sender_id_invalid', { field, message });
}

export function destinationRefused(
  refusal: NonNullable<DestinationFinding['refusal']>,
  { number: field }: SendWords,
): ApiError {
  const message = refusal === 'opted_out' ? ERROR_MESSAGES.optedOut : undefined;
  return new ApiError('dnd_blocked', { field, ...(message && { message }) });
}
