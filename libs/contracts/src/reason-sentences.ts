import type { PublicReason } from './reasons.js';

/**
 * Meaning of each reason, for people. It contains nothing that a carrier wrote, which may name its
 * account.
 */
export const REASON_SENTENCES: Record<PublicReason, string> = {
  invalid_number: 'The number cannot be dialled.',
  unsupported_number: 'The number cannot receive SMS.',
  unknown_subscriber: 'The number is not in service.',
  absent_subscriber: 'The phone was switched off or out of coverage.',
  handset_error: 'The phone could not take the message.',
  subscriber_barred: 'The network bars the subscriber from receiving messages.',
  dnd_active: 'The number is on a do-not-disturb registry.',
  opted_out: 'The recipient opted out.',
  content_rejected: 'The carrier refused the content.',
  sender_id_rejected: 'The carrier refused the sender ID.',
  message_invalid: 'The carrier cannot carry this message.',
  no_route: 'No provider serves this destination.',
  network_error: 'The network had a temporary failure.',
  carrier_rejected: 'The carrier refused the message.',
  throttled: 'The carrier is busy.',
  provider_rejected: 'The provider refused the message.',
  provider_unavailable: 'The provider is not available.',
  provider_timeout: 'The provider did not answer.',
  expired: 'The message could not be delivered in time.',
  fraud_blocked: 'The message was blocked as suspected fraud.',
  antispam_blocked: 'The message was blocked by the spam filter.',
  all_providers_failed: 'Every provider refused the message.',
  max_attempts_exceeded: 'The code was entered wrongly too often.',
  cancelled: 'It was cancelled.',
  unknown_error: 'The carrier gave a reason that is not known.',
};
