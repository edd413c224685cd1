import { ApiError, inputMessage, isUuid, lowerId, type MessageId } from '@watchword/contracts';
import { isAddress, storedAddress } from '@watchword/email';
import { internationalNumber } from '@watchword/telephony';

/** One message, or all messages to a recipient. */
type SearchTarget = { readonly id: MessageId } | { readonly to: string };

/** Reads what a member types. `countryCode` is the country of numbers in national form. */
export function readSearchText(text: string, countryCode = ''): SearchTarget {
  const given = text.trim();
  if (isUuid(given)) return { id: lowerId(given as MessageId) };
  const to = recipientOf(given, countryCode);
  if (to !== null) return { to };
  throw new ApiError('validation_error', { field: 'q', message: inputMessage('q', 'noReceiver') });
}

/**
 * Reads the recipient that an operator searches for. A number in national form needs a country. A plus sign that was not
 * escaped in the query arrives as a blank.
 */
export function readRecipient(text: string, countryCode = ''): string {
  const to = recipientOf(text.replace(/^ (?=[1-9])/, '+').trim(), countryCode);
  if (to !== null) return to;
  throw new ApiError('validation_error', {
    field: 'to',
    message: inputMessage('to', 'noRecipient'),
  });
}

function recipientOf(given: string, countryCode: string): string | null {
  if (isAddress(given)) return storedAddress(given);
  return internationalNumber(given, countryCode);
}
