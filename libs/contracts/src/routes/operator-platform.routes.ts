import { InviteBody, UserListQuery } from '../http/account.schema.js';
import { PlatformEmail } from '../http/domain.schema.js';
import {
  DiscardDeadLettersBody,
  OperatorAuditQuery,
  PlatformSettings,
  PlatformSettingsPatch,
  PutPricesBody,
  PutProtectedSenderIdsBody,
  ReplayDeadLettersBody,
} from '../http/operator.schema.js';
import * as answers from '../openapi/answer.schema.js';
import { PriceList } from '../rpc/billing-calls.js';
import { OPERATOR } from './operator-workspaces.routes.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

export const operatorPlatformRoutes = routesOf(OPERATOR, {
  inviteUser: {
    at: 'POST /operator/v1/invitations',
    summary: 'Invite an address to sign up',
    body: InviteBody,
    status: 201,
    answer: answers.SignUpInvitation,
    example: { email: 'grace@example.com' },
  },
  listUsers: {
    at: 'GET /operator/v1/users',
    summary: 'List the users with an email address',
    query: UserListQuery,
    answer: answers.UserList,
  },
  appointOperator: {
    at: 'PUT /operator/v1/users/:id/operator',
    resource: 'user',
    summary: 'Make a user an operator',
    description:
      'Sessions of the user reach this API as the operator token does, with `X-CSRF-Token` on calls that change ' +
      'something. The audit names the user.',
    answer: answers.OperatorUser,
    errors: ['not_found'],
  },
  dismissOperator: {
    at: 'DELETE /operator/v1/users/:id/operator',
    resource: 'user',
    summary: 'Make an operator a usual user again',
    description: 'Holds from the next call on, also for open sessions.',
    status: 204,
    errors: ['not_found'],
  },
  createPasswordReset: {
    at: 'POST /operator/v1/users/:id/password-reset',
    resource: 'user',
    summary: 'Create a password reset',
    description: 'The token is shown once and is good for 24 hours at `POST /auth/password/reset`.',
    status: 201,
    answer: answers.PasswordReset,
    errors: ['not_found'],
  },
  getPlatformEmail: {
    at: 'GET /operator/v1/platform-email',
    summary: 'Retrieve the sender of account emails',
    description:
      '`from` is the setting `PLATFORM_EMAIL_FROM`, null where it is not set. `domain` has the DNS ' +
      'records to publish; emails leave once it is verified.',
    answer: PlatformEmail,
  },
  verifyPlatformEmail: {
    at: 'POST /operator/v1/platform-email/verify',
    summary: 'Verify the domain of account emails',
    description: 'Looks the DNS records up, for at most 5 seconds.',
    answer: PlatformEmail,
    errors: ['not_found'],
  },
  deletePlatformSuppression: {
    at: 'DELETE /operator/v1/platform-email/suppressions/:address',
    owner: 'dispatch',
    summary: 'Allow account emails to an address again',
    description: 'An address that bounced or complained gets no account emails until then.',
    status: 204,
    errors: ['not_found'],
  },
  getProtectedSenderIds: {
    at: 'GET /operator/v1/protected-sender-ids',
    summary: 'List protected sender IDs',
    answer: answers.ProtectedSenderIds,
  },
  putProtectedSenderIds: {
    at: 'PUT /operator/v1/protected-sender-ids',
    summary: 'Replace the protected sender IDs',
    description:
      'A live SMS with one of these names needs an approved registration. ' +
      'Case, spaces and `. & _ -` make no difference.',
    body: PutProtectedSenderIdsBody,
    answer: answers.ProtectedSenderIds,
    example: { sender_ids: ['GTBank', 'MTN'] },
  },
  listPlatformAudit: {
    at: 'GET /operator/v1/audit',
    summary: 'List audit records of the platform',
    query: OperatorAuditQuery,
    answer: pageOf(answers.OperatorAuditEntry),
  },
  listDeadLetters: {
    at: 'GET /operator/v1/dead-letters',
    summary: 'List dead letters by cause',
    description:
      'Messages between the services that failed after all retries. Those of one topic, consumer group ' +
      'and reason are counted together; their payloads are not shown.',
    answer: answers.DeadLettersList,
  },
  replayDeadLetters: {
    at: 'POST /operator/v1/dead-letters/replay',
    summary: 'Replay dead letters',
    description:
      'All of a topic and group, in their old order. A message that fails again is a dead letter again. ' +
      'A second call is harmless: consumers recognise messages that they have handled.',
    body: ReplayDeadLettersBody,
    answer: answers.ReplayedDeadLetters,
    example: { topic: 'svc.refund-commands.v1', group: 'billing.refunds' },
  },
  discardDeadLetters: {
    at: 'DELETE /operator/v1/dead-letters',
    summary: 'Discard dead letters',
    description:
      'All of a topic and group, for good. `reason` says why, for the audit. Messages that ' +
      'already wait for their replay stay.',
    body: DiscardDeadLettersBody,
    answer: answers.DiscardedDeadLetters,
    example: {
      topic: 'svc.refund-commands.v1',
      group: 'billing.refunds',
      reason: 'Refunded by hand, ticket 17.',
    },
  },
  getPlatformSettings: {
    at: 'GET /operator/v1/settings',
    summary: 'Retrieve the settings of the platform',
    answer: PlatformSettings,
  },
  updatePlatformSettings: {
    at: 'PATCH /operator/v1/settings',
    summary: 'Update the settings of the platform',
    body: PlatformSettingsPatch,
    answer: PlatformSettings,
    example: { limits: { ip_authenticated_per_minute: 2400 } },
  },
  getPrices: {
    at: 'GET /operator/v1/prices',
    owner: 'billing',
    summary: 'Retrieve the editable price list',
    answer: PriceList,
  },
  putPrices: {
    at: 'PUT /operator/v1/prices',
    summary: 'Replace the price list',
    body: PutPricesBody,
    answer: PriceList,
    example: {
      credit_price: { amount: 100, currency: 'NGN' },
      default_credits: 20,
      countries: {
        NG: {
          credits: 5,
          listed: true,
          networks: [{ name: 'MTN', mcc_mnc: ['62130'], credits: 4 }],
        },
      },
    },
  },
});
