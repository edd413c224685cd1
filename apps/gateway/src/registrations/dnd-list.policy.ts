import { ApiError, ERROR_MESSAGES, inputMessage } from '@watchword/contracts';

const E164 = /^\+[1-9]\d{7,14}$/;

/**
 * The numbers of a list: one a line, after an optional header. Throws for the first bad line. An empty text
 * empties the list; a request without a body does not.
 */
export function readDndList(text: string | undefined): string[] {
  if (text === undefined) {
    const message = inputMessage('body', 'required');
    throw new ApiError('validation_error', { field: 'body', message });
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const numbers: string[] = [];
  for (const [index, line] of lines.entries()) {
    const value = line.trim().replace(/^"(.*)"$/, '$1');
    if (value === '' || (index === 0 && isHeader(value))) continue;
    if (!E164.test(value)) {
      throw new ApiError('validation_error', {
        field: `line ${index + 1}`,
        message: ERROR_MESSAGES.badDndLine(index + 1),
      });
    }
    numbers.push(value);
  }
  return numbers;
}

/** A first line without a digit names the column. */
function isHeader(line: string): boolean {
  return !/\d/.test(line);
}
