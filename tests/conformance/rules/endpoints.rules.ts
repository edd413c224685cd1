/** Interface sections 4.1 and 5: the endpoints of variant A, and their permissions. */
import { section } from '../rule.ts';

export const endpointRules = [
  section('4.1 Endpoints of variant A', [
    ['4.1 POST /v1/otp/send', 'answers 200 and is refused as documented', '@endpoints'],
    ['4.1 POST /v1/otp/verify', 'answers 200 and is refused as documented', '@endpoints'],
    ['4.1 GET /v1/otp/{id}', 'answers 200 and is refused as documented', '@endpoints'],
    ['4.1 POST /v1/sms/send', 'answers 200 and is refused as documented', '@endpoints'],
    ['4.1 GET /v1/sms/{id}', 'answers 200 and is refused as documented', '@endpoints'],
    [
      '4.1 GET /v1/pricing',
      'needs no key, is cacheable, and held for one minute',
      'tests/api/pricing: 4.1: needs no key and is cacheable for a minute',
    ],
    [
      '4.1 GET /health',
      'needs no key and is ok',
      'tests/api/errors: 4.1: GET /health needs no key',
    ],
    ['4.1 rule 1', 'the outcome of an OTP comes by webhook and by polling alike', '@otp-states'],
    [
      '4.1 rule 1 persisted',
      'a send answers once it is persisted and charged',
      'tests/api/otp-verify: reliability: verify at once after the send is never 404',
      'apps/billing/test/accept: charges, records and queues it together',
    ],
    [
      '4.1 rule 2',
      'a wrong code with attempts left is 200',
      'tests/api/otp-verify: 4.1 rule 2: a wrong code with attempts left is 200 and counts',
    ],
    [
      '4.1 rule 2 constant time',
      'codes are compared in constant time',
      'apps/dispatch/src/verification/otp-secrets: are compared by a hash that another message or pepper does not share',
    ],
    [
      '4.1 rule 2 conflicts',
      'expired, verified and exhausted are 409',
      'tests/api/otp-verify: decisions 3: past expires_at it is expired, not refunded; verify is 409',
      'tests/api/otp-verify: 4.1: verified again is 409 otp_already_verified, with a wrong code too',
      'tests/api/otp-verify: 3.1: the wrong code that exhausts the budget fails the OTP; then 409',
    ],
    [
      '4.1 rule 2 unknown',
      'an unknown or foreign otp_id is 404',
      'tests/api/otp-verify: 4.1 rule 2: an unknown otp_id is 404, and so is that of another workspace',
    ],
    [
      '4.1 rule 3',
      'an SMS has the routing, billing and failover of an OTP',
      'tests/api/failover: 1.1: an SMS refused by the first is delivered by the second, both on record',
      'tests/api/failover: 1.1: an OTP refused by the first is delivered by the second and verifies',
    ],
    [
      '4.1 rule 4',
      'the price list is identical for signed-in and anonymous callers',
      'tests/api/pricing: 4.1 rule 4: is identical for signed-in and anonymous callers',
    ],
    ['4.1 rule 5 country', 'a country that is off is 403 country_not_enabled', '@limits'],
    [
      '4.1 rule 5 prefix',
      'a blocked prefix is 403 prefix_blocked',
      'tests/api/prefix: 4.1 rule 5: in test mode is the magic number’s, 403 prefix_blocked',
      'apps/gateway/test/prefixes: refuses every live send until it is lifted, which is audited',
    ],
    ['4 /v1', 'bodies are JSON, in and out', '@endpoints'],
  ]),
  section('5 Authentication', [
    ['5 rule 1', 'every /v1 call but the price list needs a bearer key', '@authentication'],
    ['5 rule 2', 'keys start with svc_', '@authentication'],
    ['5 rule 3', 'keys are svc_live_ or svc_test_ and 32 characters', '@authentication'],
    [
      '5 rule 3 test keys',
      'debit nothing and fire the same events',
      'tests/api/money: decisions 5: test keys debit nothing and write no entry, and report the cost',
      'tests/api/webhooks: 5: test keys fire the same events',
    ],
    ['5 rule 4', 'the permission is full unless chosen', '@authentication'],
    ['5 rule 4 sending', 'reads with a sending key are 403 permission_error', '@authentication'],
    [
      '5 rule 5',
      'revoked, missing, malformed and unknown keys are 401 authentication_error',
      'tests/api/errors: 5.5: %s is 401 authentication_error',
      'tests/api/errors: decisions 2: a revoked key is refused on the very next request',
    ],
    [
      '5 rule 6',
      'counters are per key and per workspace',
      'tests/api/limits: 8 rule 2: each key has its own counter, every call counts',
      'tests/api/limits: 8 rule 2: the workspace has a counter over all its keys',
    ],
    ['5 rule 6 agent key', 'an agent key opens the agent endpoint', '@agents'],
    [
      '5 rule 7',
      'the dashboard takes a session, not an API key',
      'tests/api/accounts: [5.7]: takes a session, not an API key',
    ],
    [
      '5 rule 8',
      'a retry with its Idempotency-Key still needs a valid key',
      'tests/api/idempotency: 5.8: a replay still needs a valid key',
    ],
    [
      '5 rule 9',
      'webhooks are authentic by signature',
      'tests/api/webhooks: 6.1: its signatures hold by independent code',
      'tests/api/webhooks: decisions 8: its signature holds by the standardwebhooks package',
    ],
  ]),
];
