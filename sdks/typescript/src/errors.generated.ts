// Written by `npm run docs` from the OpenAPI document. Do not edit.
import { ApiError } from './errors.js';
import type { ErrorType } from './models.generated.js';

/** The request must change. */
export class InvalidRequestError extends ApiError {}

/** The API key is missing, malformed or revoked. */
export class AuthenticationError extends ApiError {}

/** The workspace lacks credits. */
export class PaymentRequiredError extends ApiError {}

/** The key, or a rule of the workspace, does not allow it. */
export class ForbiddenError extends ApiError {}

/** The resource does not exist. */
export class NotFoundError extends ApiError {}

/** The state of the resource does not allow it. */
export class ConflictError extends ApiError {}

/** Too many requests. */
export class RateLimitError extends ApiError {}

/** The request failed on the side of the server. */
export class ServerError extends ApiError {}

/** The request is malformed or a field is missing or out of range. */
export class ValidationError extends InvalidRequestError {}

/** The destination is not a valid E.164 phone number. */
export class PhoneInvalidError extends InvalidRequestError {}

/** The sender ID is not allowed. */
export class SenderIdInvalidError extends InvalidRequestError {}

/** The destination is on the Do Not Disturb registry. */
export class DndBlockedError extends InvalidRequestError {}

/** The sending domain is not verified. */
export class DomainUnverifiedError extends InvalidRequestError {}

/** The recipient is on the suppression list. */
export class AddressSuppressedError extends InvalidRequestError {}

/** The credit balance is too low for this send. */
export class InsufficientCreditsError extends PaymentRequiredError {}

/** The monthly quota is used up and the wallet cannot cover the rest. */
export class QuotaExceededError extends PaymentRequiredError {}

/** The monthly SMS quota is used up and the wallet is empty. */
export class SmsQuotaExceededError extends PaymentRequiredError {}

/** The key lacks permission for this endpoint. */
export class PermissionDeniedError extends ForbiddenError {}

/** The destination country is not enabled for this workspace. */
export class CountryNotEnabledError extends ForbiddenError {}

/** The destination prefix is blocked by pumping protection. */
export class PrefixBlockedError extends ForbiddenError {}

/** The code has expired. Send a new one. */
export class OtpExpiredError extends ConflictError {}

/** The code was already verified. */
export class OtpAlreadyVerifiedError extends ConflictError {}

/** Too many wrong codes. Send a new one. */
export class MaxAttemptsExceededError extends ConflictError {}

/** This Idempotency-Key was used with a different body within the last 24 hours. */
export class IdempotencyConflictError extends ConflictError {}

/** Something went wrong on our side. Retry with backoff. */
export class InternalError extends ServerError {}

/** The upstream carrier is failing. Retry later. */
export class UpstreamError extends ServerError {}

export const ERROR_CLASSES: Record<ErrorType, typeof ApiError> = {
  validation_error: ValidationError,
  phone_invalid: PhoneInvalidError,
  sender_id_invalid: SenderIdInvalidError,
  dnd_blocked: DndBlockedError,
  domain_unverified: DomainUnverifiedError,
  address_suppressed: AddressSuppressedError,
  authentication_error: AuthenticationError,
  insufficient_credits: InsufficientCreditsError,
  quota_exceeded: QuotaExceededError,
  sms_quota_exceeded: SmsQuotaExceededError,
  permission_error: PermissionDeniedError,
  country_not_enabled: CountryNotEnabledError,
  prefix_blocked: PrefixBlockedError,
  not_found: NotFoundError,
  otp_expired: OtpExpiredError,
  otp_already_verified: OtpAlreadyVerifiedError,
  max_attempts_exceeded: MaxAttemptsExceededError,
  conflict: ConflictError,
  idempotency_conflict: IdempotencyConflictError,
  rate_limit_exceeded: RateLimitError,
  rate_limited: RateLimitError,
  internal_error: InternalError,
  upstream_error: UpstreamError,
};

/** The type of an answer that is not in the form of the API, for example of a proxy. */
export const TYPE_BY_STATUS: Record<number, ErrorType> = {
  400: 'validation_error',
  401: 'authentication_error',
  402: 'insufficient_credits',
  403: 'permission_error',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limit_exceeded',
  500: 'internal_error',
  502: 'upstream_error',
};
