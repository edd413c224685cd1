/**
 * One message, one machine: the internal states and how each endpoint family names them
 * (decisions section 1). The transitions themselves live in dispatch.
 */
export const MESSAGE_STATES = [
  'scheduled',
  'accepted',
  'sent',
  'delivered',
  'verified',
  'expired',
  'failed',
  'blocked',
  'rejected',
  'cancelled',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** `a`: OTP and transactional SMS. `b`: the messaging API. A message keeps the family that created it. */
export type Family = 'a' | 'b';

const VARIANT_A: Partial<Record<MessageState, string>> = {
  scheduled: 'pending',
  accepted: 'pending',
  rejected: 'failed',
  cancelled: 'failed',
};

const VARIANT_B: Partial<Record<MessageState, string>> = {
  accepted: 'queued',
  blocked: 'rejected',
};

/** Returns the public status of a state, in the words of the family. */
export function publicStatus(state: MessageState, family: Family): string {
  return (family === 'a' ? VARIANT_A : VARIANT_B)[state] ?? state;
}
