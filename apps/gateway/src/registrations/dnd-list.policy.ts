import { ApiError, ERROR_MESSAGES, type ErrorText, inputMessage } from '@watchword/contracts';
import { type Country, isNumberOf } from '@watchword/telephony';

const E164 = /^\+[1-9]\d{7,14}$/;

/**
 * Reads the numbers of a country's list: one per line, after an optional header. Throws for the
 * first bad line. An empty text empties the list; a request without a body does not.
 */
export function readDndList(text: string | undefined, country: Country): string[] {
  if (text === undefined) {
    const message = inputMessage('body', 'required');
    throw new ApiError('validation_error', { field: 'body', message });
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const numbers: string[] = [];
  for (const [index, given] of lines.entries()) {
    const value = given.trim().replace(/^"(.*)"$/, '$1');
    if (value === '' || (index === 0 && isHeader(value))) continue;
    const line = index + 1;
    if (!E164.test(value)) throw badLine(line, ERROR_MESSAGES.badDndLine(line));
    if (!isNumberOf(country, value)) {
      throw badLine(line, ERROR_MESSAGES.dndLineElsewhere(line, country.name));
    }
    numbers.push(value);
  }
  return numbers;
}

function badLine(line: number, message: ErrorText): ApiError {
  return new ApiError('validation_error', { field: `line ${line}`, message });
}

/** Returns whether a first line without a digit names the column. */
function isHeader(line: string): boolean {
  return !/\d/.test(line);
}
