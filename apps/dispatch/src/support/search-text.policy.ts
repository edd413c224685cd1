import { ApiError, inputMessage, isUuid, lowerId, type MessageId } from '@watchword/contracts';
import { isAddress, storedAddress } from '@watchword/email';
import { internationalNumber } from '@watchword/telephony';

/** What a text of a search names: one message, or the receiver of messages. */
export type Named = { readonly id: MessageId } | { readonly to: string };

/**
 * Reads a search as people write it. `countryCode` is the country of numbers in national form.
 */
export function namedBy(text: string, countryCode = ''): Named {
  const given = text.trim();
  if (isUuid(given)) return { id: lowerId(given as MessageId) };
  const to = receiverOf(given, countryCode);
  if (to !== null) return { to };
  throw new ApiError('validation_error', { field: 'q', message: inputMessage('q', 'noReceiver') });
}

/**
 * Reads the receiver that operators search for. Without a country, a number in national form is none. A plus sign that
 * was not escaped in the query arrives as a blank.
 */
export function namedReceiver(text: string, countryCode = ''): string {
  const to = receiverOf(text.replace(/^ (?=[1-9])/, '+').trim(), countryCode);
  if (to !== null) return to;
  throw new ApiError('validation_error', {
    field: 'to',
    message: inputMessage('to', 'noRecipient'),
  });
}

function receiverOf(given: string, countryCode: string): string | null {
  if (isAddress(given)) return storedAddress(given);
  return internationalNumber(given, countryCode);
}
