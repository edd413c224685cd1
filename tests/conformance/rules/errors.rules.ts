/** Interface section 7 and decisions 10: the envelope, the types and the languages of errors. */
import { section } from '../rule.ts';

const emails = 'tests/api/emails';

export const errorRules = [
  section('7 Errors', [
    ['7 envelope', 'is error with type, message and field', '@errors'],
    [
      '7 message',
      'is in the default language of the workspace',
      'tests/api/languages: 7: is written in the default language of the workspace',
    ],
    ['7 Accept-Language', 'overrides it for one request and never changes type', '@errors'],
    ['7 status', '4xx marks the client’s, 5xx the server’s', '@errors'],
    ['7 validation_error', '400: malformed, missing or out of range', '@errors'],
    ['7 phone_invalid', '400: the destination of an SMS is not E.164', '@errors'],
    ['7 sender_id_invalid', '400: more than 11 characters, or rejected', '@errors'],
    ['7 dnd_blocked', '400: on the registry, and the sender is not whitelisted', '@errors'],
    [
      '7 domain_unverified',
      '400: of emails',
      `${emails}: decisions 20: a live send needs a verified domain`,
    ],
    [
      '7 address_suppressed',
      '400: of emails',
      `${emails}: decisions 20: an address of the suppression list is refused with its field`,
    ],
    ['7 authentication_error', '401: no key that is known', '@errors'],
    ['7 insufficient_credits', '402: the balance is too low', '@errors'],
    [
      '7 quota_exceeded',
      '402: of emails',
      'tests/api/email-links: decisions 5, 20: the plan pays first, then the wallet, then 402 quota_exceeded',
    ],
    [
      '7 sms_quota_exceeded',
      '402: of variant B',
      'tests/api/messaging: decisions 18: an empty wallet is sms_quota_exceeded',
    ],
    ['7 permission_error', '403: the key lacks the permission', '@errors'],
    ['7 country_not_enabled', '403: the country is off for the workspace', '@errors'],
    ['7 prefix_blocked', '403: blocked by pumping protection', '@errors'],
    ['7 not_found', '404: unknown, or of another workspace', '@errors'],
    ['7 otp_expired', '409: verify after expiry', '@errors'],
    ['7 otp_already_verified', '409: verify of a verified OTP', '@errors'],
    ['7 max_attempts_exceeded', '409: verify after the budget', '@errors'],
    ['7 conflict', '409: the state forbids it', '@errors'],
    ['7 idempotency_conflict', '409: the same key with another body', '@errors'],
    [
      '7 rate_limit_exceeded',
      '429: of variant B and all other routes, with Retry-After',
      'apps/gateway/test/login-limits: is not the limit on calls, which /auth has for itself',
      '@limits',
    ],
    ['7 rate_limited', '429: of variant A, with Retry-After', '@errors'],
    ['7 internal_error', '500: ours', '@errors'],
    [
      '7 upstream_error',
      '502: known to the catalogue; variant A tells it as a failed message',
      'tests/api/magic-numbers: %s %s ends as documented',
      'apps/gateway/src/edge/filters/error-envelope.policy: has the status of the catalogue for every type',
    ],
    [
      '7 Conflict',
      'the type of a 429 is that of the route',
      'tests/api/magic-numbers: %s as %s is answered %d %s',
      '@limits',
    ],
  ]),
  section('Decisions 10: errors, languages, versions', [
    ['decisions 10 field', 'is there whenever one input is to blame', '@errors'],
    [
      'decisions 10 further 403',
      'variant A’s is permission_error only',
      'tests/api/errors: decisions 2: a sending key is refused on every route of variant A',
    ],
    ['decisions 10 id in a path', 'that is no UUID is 404 on GET and actions', '@errors'],
    [
      'decisions 10 id in a body',
      'that is no UUID is 400 validation_error',
      'tests/api/otp-verify: decisions 10: an otp_id that is no UUID is 400',
    ],
    ['decisions 10 405', 'is validation_error, and Allow has exactly the methods', '@errors'],
    [
      'decisions 10 415',
      'is validation_error',
      'tests/api/errors: decisions 16: Content-Type %s is 415 validation_error',
    ],
    [
      'decisions 10 unknown path',
      'is 404 not_found',
      'tests/api/errors: decisions 10: %s is 404 not_found',
    ],
    ['decisions 10 X-Request-Id', 'is on every response and in error.request_id', '@errors'],
    ['decisions 10 retry_after_seconds', 'is in the body of every 429', '@limits'],
    [
      'decisions 10 additive',
      'the document of /v1 is the committed one, so a change is seen',
      'apps/gateway/test/reference: is docs/reference/openapi.json',
    ],
  ]),
];
