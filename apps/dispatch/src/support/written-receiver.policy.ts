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
  if (isAddress(given)) return { to: storedAddress(given) };
  const number = internationalNumber(given, countryCode);
  if (number !== null) return { to: number };
  throw new ApiError('validation_error', { field: 'q', message: inputMessage('q', 'noReceiver') });
}
