/** Errors of the SDK. The classes of each error type are in `errors.generated.ts`. */
import type { ErrorType } from './models.generated.js';

export class WatchwordError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export interface ErrorDetails {
  type: ErrorType;
  message: string;
  /** Status of the answer. Undefined: the SDK refused the request before it was sent. */
  status?: number | undefined;
  field?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** How many requests were made. */
  attempts: number;
}

/** The API refused the request, or the SDK did because the API would. Match on `type`. */
export class ApiError extends WatchwordError {
  readonly type: ErrorType;
  readonly status: number | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly attempts: number;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.type = details.type;
    this.status = details.status;
    this.field = details.field;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.attempts = details.attempts;
  }
}

/**
 * No complete answer came. The request may have had an effect: repeat it with the same `idempotencyKey`.
 */
export class ConnectionError extends WatchwordError {
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;

  constructor(
    message: string,
    details: { idempotencyKey?: string; attempts: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.idempotencyKey = details.idempotencyKey;
    this.attempts = details.attempts;
  }
}

/** No answer came within the time-out. */
export class TimeoutError extends ConnectionError {}

/** A delivery whose signature is wrong, missing or too old. Answer it with 401. */
export class SignatureError extends WatchwordError {}
