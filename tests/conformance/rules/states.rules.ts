/** Interface sections 3.1 and 3.2: the states and what moves them. */
import { section } from '../rule.ts';

export const stateRules = [
  section('3.1 OTP states', [
    ['3.1 send', 'is pending: persisted, charged and queued', '@otp-states'],
    ['3.1 accepted', 'a provider took it: sent, and otp.sent fires', '@otp-states'],
    ['3.1 receipt', 'of the carrier: delivered', '@otp-states'],
    ['3.1 carrier failure', 'failed, and otp.failed fires with reason and refunded', '@otp-states'],
    [
      '3.1 every provider refuses',
      'failed, and otp.failed fires with reason and refunded',
      'tests/api/webhooks: 6.1: every refused provider fires otp.failed without otp.sent',
    ],
    [
      '3.1 wrong code',
      'with attempts left changes no state and counts',
      'tests/api/otp-verify: 4.1 rule 2: a wrong code with attempts left is 200 and counts',
      '@otp-states',
    ],
    ['3.1 right code', 'verifies from any non-terminal state', '@otp-states'],
    [
      '3.1 last wrong code',
      'is 200 and failed; later verifies are 409 max_attempts_exceeded',
      'tests/api/otp-verify: 3.1: the wrong code that exhausts the budget fails the OTP; then 409',
    ],
    [
      '3.1 time',
      'past expires_at it is expired; verify is 409 otp_expired',
      'tests/api/otp-verify: decisions 3: past expires_at it is expired, not refunded; verify is 409',
      '@otp-states',
    ],
    [
      '3.1 verified',
      'stays so; verify is 409 otp_already_verified',
      'tests/api/otp-verify: 4.1: verified again is 409 otp_already_verified, with a wrong code too',
    ],
    [
      '3.1 machine',
      'has these moves and no others',
      'apps/dispatch/src/channels/channels: knows each move of the specification',
      'apps/dispatch/src/channels/channels: refuses what cannot be',
    ],
  ]),
  section('3.2 SMS states, variant A', [
    ['3.2 send', 'is pending: charged and queued for dispatch', '@sms'],
    ['3.2 block', 'blocked, full refund, sms.blocked with the verdict', '@sms'],
    ['3.2 tag', 'goes on, tagged in metadata, and is delivered', '@sms'],
    [
      '3.2 receipt',
      'delivered, and sms.delivered fires',
      'tests/api/webhooks: 6.1: sms.delivered carries the SMS data',
    ],
    ['3.2 carrier failure', 'failed, and sms.failed fires with reason and refunded', '@sms'],
    ['3.2 every provider refuses', 'failed, and sms.failed fires with reason and refunded', '@sms'],
  ]),
];
