import { InviteBody, UserListQuery } from '../http/account.schema.js';
import { PageQuery } from '../http/common.schema.js';
import {
  ChangeWorkspaceBody,
  CreateKeyBody,
  CreateWorkspaceBody,
  LedgerQuery,
  LiftPrefixBody,
  OperatorAuditQuery,
  PlatformSettings,
  PlatformSettingsPatch,
  PutPlanBody,
  PutPricesBody,
  PutProtectedSenderIdsBody,
  PutWebhookBody,
  ReplayDeadLettersBody,
  TopUpBody,
} from '../http/operator.schema.js';
import { LedgerEntry, Plan, PriceList } from '../rpc/billing-calls.js';
import { WebhookDelivery } from '../rpc/webhooks-calls.js';
import * as answers from './answer.schema.js';
import { type DocumentedRoute, routesOf } from './documented-route.js';

const { pageOf } = answers;
const ONE = '/operator/v1/workspaces/:id';

/** What whoever runs the platform uses. */
export const OPERATOR_ROUTES: readonly DocumentedRoute[] = routesOf('Operator', 'operator', [
  [
    'POST /operator/v1/workspaces',
    'Create a workspace',
    {
      body: CreateWorkspaceBody,
      status: 201,
      answer: answers.NewWorkspace,
      example: { name: 'Acme', credits: 1000, billing_country: 'NG' },
    },
  ],
  [
    'GET /operator/v1/workspaces',
    'List workspaces',
    { query: PageQuery, answer: pageOf(answers.Workspace) },
  ],
  [`GET ${ONE}`, 'Look at a workspace', { answer: answers.Workspace }],
  [
    `PATCH ${ONE}`,
    'Change a workspace',
    {
      body: ChangeWorkspaceBody,
      answer: answers.Workspace,
      example: { settings: { default_language: 'fr', limits: { key_per_minute: 1200 } } },
    },
  ],
  [
    `POST ${ONE}/confirm`,
    'Confirm a workspace',
    {
      answer: answers.Workspace,
      errors: ['not_found'],
      note: 'Enters the trial credits that await confirmation. A repeat changes nothing.',
    },
  ],
  [
    `POST ${ONE}/top-ups`,
    'Add credits, or correct them',
    {
      body: TopUpBody,
      status: 201,
      answer: answers.TopUp,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict'],
      example: { credits: 500, kind: 'purchase', note: 'Invoice 17' },
    },
  ],
  [`GET ${ONE}/ledger`, 'The ledger', { query: LedgerQuery, answer: pageOf(LedgerEntry) }],
  [`GET ${ONE}/plan`, 'The plan, and what is left of it this month', { answer: Plan }],
  [
    `PUT ${ONE}/plan`,
    'Set the plan',
    {
      body: PutPlanBody,
      answer: Plan,
      example: { sms_segments_per_month: 5000, emails_per_month: 0 },
    },
  ],
  [
    `POST ${ONE}/keys`,
    'Create an API key',
    {
      body: CreateKeyBody,
      status: 201,
      answer: answers.NewApiKey,
      example: { name: 'Checkout', mode: 'live', permission: 'full' },
    },
  ],
  [`GET ${ONE}/keys`, 'List API keys', { query: PageQuery, answer: pageOf(answers.ApiKey) }],
  ['DELETE /operator/v1/keys/:id', 'Revoke an API key', { status: 204 }],
  [
    `PUT ${ONE}/webhook`,
    'Set the webhook',
    {
      body: PutWebhookBody,
      answer: answers.PutWebhookAnswer,
      example: { url: 'https://example.com/hooks/watchword' },
    },
  ],
  [`POST ${ONE}/webhook/rotate-secret`, 'Rotate its secret', { answer: answers.RotatedSecret }],
  [
    `GET ${ONE}/webhook/deliveries`,
    'List deliveries',
    { query: PageQuery, answer: pageOf(WebhookDelivery) },
  ],
  [`DELETE ${ONE}/webhook`, 'Remove the webhook', { status: 204 }],
  [
    `POST ${ONE}/prefixes/:prefix/lift`,
    'Lift a restriction of a prefix',
    {
      body: LiftPrefixBody,
      answer: answers.LiftedPrefix,
      example: { reason: 'The customer explained it.' },
    },
  ],
  [
    'POST /operator/v1/invitations',
    'Invite an address to sign up',
    {
      body: InviteBody,
      status: 201,
      answer: answers.SignUpInvitation,
      example: { email: 'grace@example.com' },
    },
  ],
  [
    'GET /operator/v1/users',
    'List the users with an email address',
    { query: UserListQuery, answer: answers.UserList },
  ],
  [
    'POST /operator/v1/users/:id/password-reset',
    'Create a password reset',
    {
      status: 201,
      answer: answers.PasswordReset,
      errors: ['not_found'],
      note: 'The token is shown once and is good for 24 hours at `POST /auth/password/reset`.',
    },
  ],
  [
    'GET /operator/v1/protected-sender-ids',
    'List protected sender IDs',
    { answer: answers.ProtectedSenderIds },
  ],
  [
    'PUT /operator/v1/protected-sender-ids',
    'Replace the protected sender IDs',
    {
      body: PutProtectedSenderIdsBody,
      answer: answers.ProtectedSenderIds,
      example: { sender_ids: ['GTBank', 'MTN'] },
      note: 'A live SMS with one of these names needs an approved registration. Case, spaces and `. & _ -` make no difference.',
    },
  ],
  [
    'GET /operator/v1/audit',
    'List the audit',
    { query: OperatorAuditQuery, answer: pageOf(answers.OperatorAuditEntry) },
  ],
  [
    'GET /operator/v1/dead-letters',
    'What the consumers gave up on, by cause',
    {
      answer: answers.DeadLettersList,
      note: 'Messages between the services that could not be handled after all retries. Those of one topic, consumer group and reason are counted together; what they say is not shown.',
    },
  ],
  [
    'POST /operator/v1/dead-letters/replay',
    'Have dead letters handled again',
    {
      body: ReplayDeadLettersBody,
      answer: answers.ReplayedDeadLetters,
      example: { topic: 'svc.refund-commands.v1', group: 'billing.refunds' },
      note: 'All of a topic and group, in their old order. What fails again is a dead letter again. Repeating it is harmless: consumers know what they have done.',
    },
  ],
  ['GET /operator/v1/settings', 'Settings of the platform', { answer: PlatformSettings }],
  [
    'PATCH /operator/v1/settings',
    'Change settings of the platform',
    {
      body: PlatformSettingsPatch,
      answer: PlatformSettings,
      example: { limits: { ip_authenticated_per_minute: 2400 } },
    },
  ],
  ['GET /operator/v1/prices', 'The price list', { answer: PriceList }],
  [
    'PUT /operator/v1/prices',
    'Replace the price list',
    {
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
  ],
]);
