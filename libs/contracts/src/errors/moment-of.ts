import { readMoment } from '../moment.js';
import { ApiError } from './error-catalogue.js';
import { inputMessage } from './input-problems.js';

/** Returns the time of a text in a request. */
export function momentOf(text: string, field: string): Date {
  const at = readMoment(text);
  if (at) return at;
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'notAMoment') });
}
