/** Why a recipient failed, in public words. The sentence is `error_message`. */
const EMAIL_FAILURES = {
  address_suppressed: 'The address was put on the suppression list after the email was accepted.',
  domain_unverified: 'The sending domain lost its verification after the email was accepted.',
  content_rejected: 'The receiving server refused the content.',
  all_providers_failed: 'No provider took the email.',
} as const;
export type EmailFailure = keyof typeof EMAIL_FAILURES;
export const EMAIL_FAILURE_REASONS = Object.keys(EMAIL_FAILURES) as EmailFailure[];

export function emailFailureSentence(reason: string): string {
  return EMAIL_FAILURES[reason as EmailFailure] ?? 'The email could not be sent.';
}
