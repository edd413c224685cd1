/** The classes of errors, which have the same names in every SDK that has classes. */
import { pascal } from './inline-objects.ts';

export const NOTICE = 'Written by `npm run docs` from the OpenAPI document. Do not edit.';

/** The type where the answer has none, the group of the status, and what the group says. */
export const BY_STATUS: Record<number, [type: string, group: string, description: string]> = {
  400: ['validation_error', 'InvalidRequestError', 'The request must change.'],
  401: [
    'authentication_error',
    'AuthenticationError',
    'The API key is missing, malformed or revoked.',
  ],
  402: ['insufficient_credits', 'PaymentRequiredError', 'The workspace lacks credits.'],
  403: [
    'permission_error',
    'ForbiddenError',
    'The key, or a rule of the workspace, does not allow it.',
  ],
  404: ['not_found', 'NotFoundError', 'The resource does not exist.'],
  409: ['conflict', 'ConflictError', 'The state of the resource does not allow it.'],
  429: ['rate_limit_exceeded', 'RateLimitError', 'Too many requests.'],
  500: ['internal_error', 'ServerError', 'The request failed on the side of the server.'],
  502: ['upstream_error', 'ServerError', ''],
};

/** Both types of a limit mean the same. Python has a PermissionError of its own. */
const CLASSES: Record<string, string> = {
  rate_limit_exceeded: 'RateLimitError',
  rate_limited: 'RateLimitError',
  permission_error: 'PermissionDeniedError',
};

export function classOf(type: string): string {
  return CLASSES[type] ?? `${pascal(type).replace(/Error$/, '')}Error`;
}

export function groupOf(status: number): string {
  return BY_STATUS[status]?.[1] ?? 'InvalidRequestError';
}

export function inGroups(errors: { status: number }[]): { name: string; description: string }[] {
  const statuses = new Set(errors.map(({ status }) => (status >= 500 ? 500 : status)));
  return [...statuses].map((status) => ({
    name: groupOf(status),
    description: BY_STATUS[status]?.[2] ?? '',
  }));
}
