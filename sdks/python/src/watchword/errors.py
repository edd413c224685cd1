# Written by `npm run docs` from the OpenAPI document. Do not edit.
"""The classes of errors. Match on `type`, or catch a class."""
from typing import Dict, Type

from ._errors import ApiError, ConnectionError, SignatureError, TimeoutError, WatchwordError

__all__ = [
    "AddressSuppressedError",
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "CountryNotEnabledError",
    "DndBlockedError",
    "DomainUnverifiedError",
    "ForbiddenError",
    "IdempotencyConflictError",
    "InsufficientCreditsError",
    "InternalError",
    "InvalidRequestError",
    "MaxAttemptsExceededError",
    "NotFoundError",
    "OtpAlreadyVerifiedError",
    "OtpExpiredError",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "PhoneInvalidError",
    "PrefixBlockedError",
    "QuotaExceededError",
    "RateLimitError",
    "SenderIdInvalidError",
    "ServerError",
    "SignatureError",
    "SmsQuotaExceededError",
    "TimeoutError",
    "UpstreamError",
    "ValidationError",
    "WatchwordError",
]


class InvalidRequestError(ApiError):
    """The request must change."""


class AuthenticationError(ApiError):
    """The API key is missing, malformed or revoked."""


class PaymentRequiredError(ApiError):
    """The workspace lacks credits."""


class ForbiddenError(ApiError):
    """The key, or a rule of the workspace, does not allow it."""


class NotFoundError(ApiError):
    """The resource does not exist."""


class ConflictError(ApiError):
    """The state of the resource does not allow it."""


class RateLimitError(ApiError):
    """Too many requests."""


class ServerError(ApiError):
    """The request failed on the side of the server."""


class ValidationError(InvalidRequestError):
    """The request is malformed or a field is missing or out of range."""


class PhoneInvalidError(InvalidRequestError):
    """The destination is not a valid E.164 phone number."""


class SenderIdInvalidError(InvalidRequestError):
    """The sender ID is not allowed."""


class DndBlockedError(InvalidRequestError):
    """The destination is on the Do Not Disturb registry."""


class DomainUnverifiedError(InvalidRequestError):
    """The sending domain is not verified."""


class AddressSuppressedError(InvalidRequestError):
    """The recipient is on the suppression list."""


class InsufficientCreditsError(PaymentRequiredError):
    """The credit balance is too low for this send."""


class QuotaExceededError(PaymentRequiredError):
    """The monthly quota is used up and the wallet cannot cover the rest."""


class SmsQuotaExceededError(PaymentRequiredError):
    """The monthly SMS quota is used up and the wallet is empty."""


class PermissionDeniedError(ForbiddenError):
    """The key lacks permission for this endpoint."""


class CountryNotEnabledError(ForbiddenError):
    """The destination country is not enabled for this workspace."""


class PrefixBlockedError(ForbiddenError):
    """The destination prefix is blocked by pumping protection."""


class OtpExpiredError(ConflictError):
    """The code has expired. Send a new one."""


class OtpAlreadyVerifiedError(ConflictError):
    """The code was already verified."""


class MaxAttemptsExceededError(ConflictError):
    """Too many wrong codes. Send a new one."""


class IdempotencyConflictError(ConflictError):
    """This Idempotency-Key was used with a different body within the last 24 hours."""


class InternalError(ServerError):
    """Something went wrong on our side. Retry with backoff."""


class UpstreamError(ServerError):
    """The upstream carrier is failing. Retry later."""


ERROR_CLASSES: Dict[str, Type[ApiError]] = {
    "validation_error": ValidationError,
    "phone_invalid": PhoneInvalidError,
    "sender_id_invalid": SenderIdInvalidError,
    "dnd_blocked": DndBlockedError,
    "domain_unverified": DomainUnverifiedError,
    "address_suppressed": AddressSuppressedError,
    "authentication_error": AuthenticationError,
    "insufficient_credits": InsufficientCreditsError,
    "quota_exceeded": QuotaExceededError,
    "sms_quota_exceeded": SmsQuotaExceededError,
    "permission_error": PermissionDeniedError,
    "country_not_enabled": CountryNotEnabledError,
    "prefix_blocked": PrefixBlockedError,
    "not_found": NotFoundError,
    "otp_expired": OtpExpiredError,
    "otp_already_verified": OtpAlreadyVerifiedError,
    "max_attempts_exceeded": MaxAttemptsExceededError,
    "conflict": ConflictError,
    "idempotency_conflict": IdempotencyConflictError,
    "rate_limit_exceeded": RateLimitError,
    "rate_limited": RateLimitError,
    "internal_error": InternalError,
    "upstream_error": UpstreamError,
}

# The type of an answer that is not in the form of the API, for example of a proxy.
TYPE_BY_STATUS: Dict[int, str] = {
    400: "validation_error",
    401: "authentication_error",
    402: "insufficient_credits",
    403: "permission_error",
    404: "not_found",
    409: "conflict",
    429: "rate_limit_exceeded",
    500: "internal_error",
    502: "upstream_error",
}
