/**
 * The one error catalogue: every `error.type` that an answer can carry, its status and its default text.
 * `type` is stable; texts may change. `retriable` tells a client whether the same request can succeed later.
 */
export interface CatalogueEntry {
  status: number;
  en: string;
  retriable: boolean;
}

const entry = (status: number, en: string, retriable = false): CatalogueEntry => ({
  status,
  en,
  retriable,
});

export const ERROR_CATALOGUE = {
  validation_error: entry(400, 'The request is malformed or a field is missing or out of range.'),
  phone_invalid: entry(400, 'The destination is not a valid E.164 phone number.'),
  sender_id_invalid: entry(400, 'The sender ID is not allowed.'),
  dnd_blocked: entry(400, 'The destination is on the Do Not Disturb registry.'),
  domain_unverified: entry(400, 'The sending domain is not verified.'),
  address_suppressed: entry(400, 'The recipient is on the suppression list.'),
  authentication_error: entry(401, 'The API key is missing, malformed, revoked or unknown.'),
  insufficient_credits: entry(402, 'The credit balance is too low for this send.'),
  quota_exceeded: entry(402, 'The monthly quota is used up and the wallet cannot cover the rest.'),
  sms_quota_exceeded: entry(402, 'The monthly SMS quota is used up and the wallet is empty.'),
  permission_error: entry(403, 'The key lacks permission for this endpoint.'),
  country_not_enabled: entry(403, 'The destination country is not enabled for this workspace.'),
  prefix_blocked: entry(403, 'The destination prefix is blocked by pumping protection.'),
  not_found: entry(404, 'The resource does not exist.'),
  otp_expired: entry(409, 'The code has expired. Send a new one.'),
  otp_already_verified: entry(409, 'The code was already verified.'),
  max_attempts_exceeded: entry(409, 'The attempt budget of this code is used up. Send a new one.'),
  conflict: entry(409, 'The action conflicts with the current state.'),
  idempotency_conflict: entry(
    409,
    'This Idempotency-Key was used with a different body within the last 24 hours.',
  ),
  rate_limit_exceeded: entry(429, 'Too many requests. Retry after the time given.', true),
  rate_limited: entry(429, 'Too many requests. Retry after the time given.', true),
  internal_error: entry(500, 'Something went wrong on our side. Retry with backoff.', true),
  upstream_error: entry(502, 'The upstream carrier is failing. Retry later.', true),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorType = keyof typeof ERROR_CATALOGUE;

/** An expected failure: thrown or returned by handlers, mapped to the envelope by one filter. */
export class ApiError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    type: ErrorType,
    options: {
      message?: string;
      field?: string;
      retryAfterSeconds?: number;
      /** Only where the decisions name another status for the type (405, 413, 415, 503). */
      status?: number;
    } = {},
  ) {
    // Expected, and in a flood many: where it was thrown is worth nothing, finding out costs more
    // than the whole answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(options.message ?? ERROR_CATALOGUE[type].en);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.type = type;
    this.status = options.status ?? ERROR_CATALOGUE[type].status;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
