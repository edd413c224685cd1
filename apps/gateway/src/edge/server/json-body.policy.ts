import { isUtf8 } from 'node:buffer';
import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
} from '@watchword/contracts';
import { lookAtJson } from './json-bounds.policy.js';
import { lossyNumberIn } from './json-numbers.policy.js';

/**
 * Reads a JSON body so that later code needs no care: values and nesting are bounded, no key
 * reaches a prototype, PostgreSQL can store every text (no NUL, no lone surrogate), and every
 * number is the one that was written.
 */
const DEPTH_MAX = 32;

/** `checkedPart` returns what of the body is inspected; the caller inspects the rest. */
export function parseJsonBody(
  bytes: Buffer,
  valuesMax: number,
  checkedPart: (body: unknown) => unknown = (body) => body,
): unknown {
  const { exceeded, field, mayLoseDigits } = lookAtJson(bytes, { valuesMax, depthMax: DEPTH_MAX });
  if (exceeded === 'values') refuse(undefined, INPUT_PROBLEMS.valuesMax(valuesMax));
  if (exceeded === 'depth') refuse(field, INPUT_PROBLEMS.depthMax(DEPTH_MAX));
  const text = decode(bytes);
  const value = parse(text);
  const lossy = mayLoseDigits ? lossyNumberIn(text) : null;
  if (lossy !== null) refuse(lossy || undefined, 'lossyNumber');
  // Raw control characters are invalid JSON, so only an escape can contain a NUL or half a
  // character.
  const isSuspect = text.includes('\\u') || text.includes('__proto__');
  if (isSuspect) inspect(checkedPart(value));
  return value;
}

/** Throws for wrong bytes. Decoding would replace them. */
export function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new ApiError('validation_error', { message: ERROR_MESSAGES.bodyNotUtf8 });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('validation_error', { message: ERROR_MESSAGES.bodyNotJson });
  }
}

/** Throws for what PostgreSQL cannot store, and names the outermost member that has it. */
export function inspect(value: unknown, field?: string): void {
  if (typeof value === 'string') return inspectText(value, field);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, field);
    return;
  }
  for (const key of Object.keys(value)) {
    inspectText(key, field);
    if (key === '__proto__') refuse(field, 'forbiddenKey');
    inspect((value as Record<string, unknown>)[key], field ?? (key || undefined));
  }
}

function inspectText(text: string, field: string | undefined): void {
  if (text.includes('\0')) refuse(field, 'nul');
  if (!text.isWellFormed()) refuse(field, 'halfSurrogate');
}

function refuse(field: string | undefined, problem: InputProblem | ErrorText): never {
  throw new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
