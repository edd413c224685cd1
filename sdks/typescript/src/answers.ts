/** Turns an answer that is no success into an error. */
import { ERROR_CLASSES, TYPE_BY_STATUS } from './errors.generated.js';
import { ApiError, type ErrorDetails } from './errors.js';
import type { ErrorType } from './models.generated.js';

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export function apiErrorOf({ status, headers, text }: Answer, attempts: number): ApiError {
  const body = errorIn(text);
  const type = (textOf(body['type']) || typeOf(status)) as ErrorType;
  return errorOf({
    type,
    status,
    message:
      textOf(body['message']) ?? `The server answered ${status} without an error of the API.`,
    field: textOf(body['field']),
    requestId: textOf(body['request_id']) ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds:
      secondsOf(headers.get('retry-after')) ?? secondsOf(body['retry_after_seconds']),
    attempts,
  });
}

/** The error that the server would give, before anything is sent. */
export function refuse(type: ErrorType, field: string | undefined, message: string): ApiError {
  return errorOf({ type, field, message, attempts: 0 });
}

/** A type that is newer than this SDK has the class of its status. */
function errorOf(details: ErrorDetails): ApiError {
  const known = ERROR_CLASSES[details.type] as typeof ApiError | undefined;
  const ofStatus = ERROR_CLASSES[typeOf(details.status ?? 400)];
  return new (known ?? ofStatus)(details);
}

function typeOf(status: number): ErrorType {
  const exact = TYPE_BY_STATUS[status];
  if (exact !== undefined) return exact;
  return status >= 500 ? 'internal_error' : 'validation_error';
}

function errorIn(text: string): Record<string, unknown> {
  try {
    const { error } = JSON.parse(text) as { error?: Record<string, unknown> };
    return typeof error === 'object' && error !== null ? error : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Whole seconds. A date, which the header may be, is none. */
function secondsOf(value: unknown): number | undefined {
  const isWhole = /^\d+$/.test(typeof value === 'number' ? String(value) : (textOf(value) ?? ''));
  return isWhole ? Number(value) : undefined;
}
