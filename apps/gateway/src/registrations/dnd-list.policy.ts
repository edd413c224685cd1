import { ApiError, ERROR_MESSAGES, type ErrorText, inputMessage } from '@watchword/contracts';
import { type Country, isNumberOf } from '@watchword/telephony';

const E164 = /^\+[1-9]\d{7,14}$/;
/** A first line that names the column, for example `phone_number`. */
const HEADER = /^[\p{L} _-]+$/u;

/**
 * Reads the numbers of a country's list: one per line, after an optional header. Throws for the
 * first bad line, and for a header without numbers. An empty text empties the list; a request
 * without a body does not.
 */
export function readDndList(text: string | undefined, country: Country): string[] {
  if (text === undefined) {
    const message = inputMessage('body', 'required');
    throw new ApiError('validation_error', { field: 'body', message });
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const numbers: string[] = [];
  let hasHeader = false;
  for (const [index, given] of lines.entries()) {
    const value = given.trim().replace(/^"(.*)"$/, '$1');
    const line = index + 1;
    if (line === 1) hasHeader = HEADER.test(value);
    if (value === '' || (line === 1 && hasHeader)) continue;
    if (!E164.test(value)) throw badLine(line, ERROR_MESSAGES.badDndLine(line));
    if (!isNumberOf(country, value)) {
      throw badLine(line, ERROR_MESSAGES.dndLineElsewhere(line, country.name));
    }
    numbers.push(value);
  }
  // An error page of one line looks like a header, and must not empty the list.
  if (hasHeader && numbers.length === 0) throw badLine(2, ERROR_MESSAGES.badDndLine(2));
  return numbers;
}

function badLine(line: number, message: ErrorText): ApiError {
  return new ApiError('validation_error', { field: `line ${line}`, message });
}
