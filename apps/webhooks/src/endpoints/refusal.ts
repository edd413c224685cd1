import type { ErrorText, RefusedWebhook } from '@watchword/contracts';

export function refusal<Field extends RefusedWebhook['field']>(
  field: Field,
  { en, fr }: ErrorText,
) {
  return { verdict: 'refused' as const, field, message: en, message_fr: fr };
}
