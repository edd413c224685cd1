import {
  ApiError,
  ERROR_MESSAGES,
  INPUT_PROBLEMS,
  inputMessage,
  PASSWORD_LENGTH_MIN,
} from '@watchword/contracts';
import data from './data/common-passwords.json' with { type: 'json' };

/** Common passwords. Shorter ones are refused for their length, so the list has none of them. */
const COMMON: ReadonlySet<string> = new Set(data.passwords);

/** Normalises a password, so that equal letters give the same one on every keyboard. */
export function normalizedPassword(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Refuses a new password that is short or common. Capitals do not make a common password better.
 */
export function checkNewPassword(password: string, field: string): void {
  const normalized = normalizedPassword(password);
  if ([...normalized].length < PASSWORD_LENGTH_MIN) {
    const problem = INPUT_PROBLEMS.charactersMin(PASSWORD_LENGTH_MIN);
    throw new ApiError('validation_error', { field, message: inputMessage(field, problem) });
  }
  if (COMMON.has(normalized.toLowerCase())) {
    throw new ApiError('validation_error', {
      field,
      message: inputMessage(field, 'commonPassword'),
    });
  }
}

export function wrongCredentials(): ApiError {
  return new ApiError('authentication_error', { message: ERROR_MESSAGES.wrongLogIn });
}
