import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
} from '@watchword/contracts';

/**
 * Reads a JSON body so that nothing behind this door needs to be afraid of it: nesting is bounded,
 * no key can reach a prototype, every string can be stored by PostgreSQL, which refuses NUL and lone
 * surrogates, and every number comes back as one: one beyond what JavaScript holds would be kept as null.
 */
const DEPTH_MAX = 32;
/** In Unicode mode a surrogate matches only where its other half is missing. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/** An exponent, or more digits than the largest number has; in a string it costs a look, no more. */
const PERHAPS_INFINITE = /\d[eE]\+?\d|\d{309}/;

export function parseJsonBody(text: string): unknown {
  const value = parse(text);
  // Raw control characters are invalid JSON, so only an escape can bring a NUL or half a character
  // in.
  const mayHide = text.includes('\\u') || text.includes('__proto__') || PERHAPS_INFINITE.test(text);
  if (mayHide || countOpenings(text) > DEPTH_MAX) inspect(value, undefined, 1);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('validation_error', { message: ERROR_MESSAGES.bodyNotJson });
  }
}

/** At least as large as the depth of nesting, and much cheaper to find. */
function countOpenings(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5b || unit === 0x7b) count += 1;
  }
  return count;
}

function inspect(value: unknown, field: string | undefined, depth: number): void {
  if (typeof value === 'string') return inspectText(value, field);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(field, 'tooLarge');
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX) {
    refuse(field, INPUT_PROBLEMS.depthMax(DEPTH_MAX));
  }
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, field, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    inspectText(key, field);
    if (key === '__proto__') refuse(field, 'forbiddenKey');
    inspect((value as Record<string, unknown>)[key], field ?? key, depth + 1);
  }
}

function inspectText(text: string, field: string | undefined): void {
  if (text.includes('\0')) refuse(field, 'nul');
  if (LONE_SURROGATE.test(text)) refuse(field, 'halfSurrogate');
}

function refuse(field: string | undefined, problem: InputProblem | ErrorText): never {
  throw new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
