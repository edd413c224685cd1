import {
  ChangeOwnWorkspaceBody,
  InviteMemberBody,
  ChangePasswordBody,
  LogInBody,
  RedeemPasswordResetBody,
  SignUpBody,
} from '../http/account.schema.js';
import { PageQuery } from '../http/common.schema.js';
import { MessageListQuery, OtpListQuery, SmsListQuery } from '../http/message-list.schema.js';
import {
  CreateKeyBody,
  LedgerQuery,
  LiftPrefixBody,
  PutWebhookBody,
} from '../http/operator.schema.js';
import {
  NoBody,
  OtpDetails,
  ResendOtpAnswer,
  SendOtpAnswer,
  SendOtpBody,
  VerifyOtpAnswer,
  VerifyOtpBody,
} from '../http/otp.schema.js';
import { EventsQuery } from '../http/events.schema.js';
import { PublicPriceList } from '../http/pricing.schema.js';
import { QuoteBody } from '../http/quote-body.schema.js';
import { QuoteAnswer } from '../http/quote.schema.js';
import { SendSmsAnswer, SendSmsBody, SmsDetails } from '../http/sms.schema.js';
import { LedgerEntry } from '../rpc/billing-calls.js';
import { WebhookDelivery } from '../rpc/webhooks-calls.js';
import * as answers from './answer.schema.js';
import { type DocumentedRoute, routesOf } from './documented-route.js';

const { pageOf } = answers;
const NUMBER = '+2348031234567';
const SOME_ID = '01890000-0000-7000-8000-000000000000';
const WEBHOOK = { url: 'https://example.com/hooks/watchword', events: ['otp.delivered'] };
const LIFT = { reason: 'A campaign of ours, announced yesterday.' };
const PASSWORD = 'correct horse battery staple';

const otp = routesOf('One-time passwords', 'key', [
  [
    'POST /v1/otp/send',
    'Send a one-time password',
    {
      body: SendOtpBody,
      answer: SendOtpAnswer,
      idempotent: true,
      errors: [
        'insufficient_credits',
        'country_not_enabled',
        'prefix_blocked',
        'idempotency_conflict',
        'conflict',
      ],
      example: { phone_number: NUMBER, code_length: 6, ttl_seconds: 600, language: 'en' },
    },
  ],
  [
    'POST /v1/otp/verify',
    'Check a code',
    {
      body: VerifyOtpBody,
      answer: VerifyOtpAnswer,
      idempotent: true,
      errors: [
        'not_found',
        'otp_expired',
        'otp_already_verified',
        'max_attempts_exceeded',
        'idempotency_conflict',
        'conflict',
      ],
      note: 'A wrong code with attempts left is an answer, not an error: `valid` is false.',
      example: { otp_id: SOME_ID, code: '123456' },
    },
  ],
  ['GET /v1/otp', 'List one-time passwords', { query: OtpListQuery, answer: pageOf(OtpDetails) }],
  ['GET /v1/otp/:id', 'Look at a one-time password', { answer: OtpDetails }],
  [
    'POST /v1/otp/:id/resend',
    'Send the same code again',
    {
      body: NoBody,
      answer: ResendOtpAnswer,
      idempotent: true,
      errors: [
        'insufficient_credits',
        'country_not_enabled',
        'prefix_blocked',
        'conflict',
        'otp_expired',
        'otp_already_verified',
        'max_attempts_exceeded',
        'idempotency_conflict',
      ],
      example: {},
    },
  ],
  [
    'POST /v1/otp/:id/cancel',
    'Cancel a one-time password',
    {
      body: NoBody,
      answer: OtpDetails,
      idempotent: true,
      errors: [
        'conflict',
        'otp_expired',
        'otp_already_verified',
        'max_attempts_exceeded',
        'idempotency_conflict',
      ],
      example: {},
    },
  ],
]);

const sms = routesOf('SMS', 'key', [
  [
    'POST /v1/sms/send',
    'Send an SMS',
    {
      body: SendSmsBody,
      answer: SendSmsAnswer,
      idempotent: true,
      errors: [
        'phone_invalid',
        'sender_id_invalid',
        'dnd_blocked',
        'insufficient_credits',
        'country_not_enabled',
        'prefix_blocked',
        'idempotency_conflict',
        'conflict',
      ],
      example: { phone_number: NUMBER, message: 'Your order has shipped.', sender_id: 'Acme' },
    },
  ],
  ['GET /v1/sms', 'List SMS', { query: SmsListQuery, answer: pageOf(SmsDetails) }],
  ['GET /v1/sms/:id', 'Look at an SMS', { answer: SmsDetails }],
]);

const money = routesOf('Money', 'key', [
  [
    'GET /v1/pricing',
    'The price list',
    { access: 'anybody', answer: PublicPriceList, cached: true },
  ],
  ['GET /v1/balance', 'The balance', { answer: answers.Balance, errors: ['not_found'] }],
  [
    'POST /v1/quote',
    'What a send would cost and meet',
    {
      body: QuoteBody,
      answer: QuoteAnswer,
      idempotent: true,
      errors: ['phone_invalid', 'conflict', 'idempotency_conflict'],
      example: { kind: 'sms', phone_number: NUMBER, message: 'Your order has shipped.' },
      note:
        'Counts and charges nothing; `quote_id` fixes the price of one send for a minute. A gate that ' +
        'refuses without a `type` is that of anti-spam: such a send is accepted, blocked and refunded.',
    },
  ],
  [
    'GET /v1/ledger',
    'The ledger',
    { query: LedgerQuery, answer: pageOf(LedgerEntry), alsoAs: 'text/csv' },
  ],
]);

const events = routesOf('Events', 'key', [
  ['GET /v1/events', 'Events in order', { query: EventsQuery, answer: answers.EventsPage }],
]);

const health = routesOf('Health', 'anybody', [
  ['GET /health', 'The process is alive', { answer: answers.Status }],
  ['GET /ready', 'The process can do its work', { answer: answers.Status }],
]);

const accounts = routesOf('Accounts', 'anybody', [
  [
    'POST /auth/signup',
    'Open an account',
    {
      body: SignUpBody,
      answer: answers.SessionAnswer,
      errors: ['conflict', 'permission_error', 'rate_limited', 'rate_limit_exceeded'],
      example: { email: 'ada@example.com', password: PASSWORD, workspace_name: 'Acme' },
    },
  ],
  [
    'POST /auth/login',
    'Open a session',
    {
      body: LogInBody,
      answer: answers.SessionAnswer,
      errors: ['authentication_error', 'rate_limit_exceeded'],
      example: { email: 'ada@example.com', password: PASSWORD },
    },
  ],
  [
    'POST /auth/password/reset',
    'Set a new password with a reset token',
    {
      body: RedeemPasswordResetBody,
      status: 204,
      errors: ['validation_error'],
      note: 'Ends every session of the user. The token comes from `POST /operator/v1/users/{id}/password-reset`.',
    },
  ],
  ['GET /auth/me', 'Whose session it is', { access: 'session', answer: answers.SessionAnswer }],
]);
/** Last, because nothing of the session works after it. */
const leaving = routesOf('Accounts', 'anybody', [
  [
    'POST /auth/password',
    'Change the password',
    {
      access: 'session',
      body: ChangePasswordBody,
      status: 204,
      errors: ['permission_error', 'rate_limit_exceeded'],
      note: 'Ends the other sessions of the user.',
    },
  ],
  ['POST /auth/logout', 'End the session', { status: 204 }],
]);

const dashboard = routesOf('Dashboard', 'session', [
  ['GET /dashboard/workspace', 'The workspace', { answer: answers.Workspace }],
  [
    'PATCH /dashboard/workspace',
    'Change the workspace',
    {
      body: ChangeOwnWorkspaceBody,
      answer: answers.Workspace,
      example: { settings: { default_language: 'fr' } },
    },
  ],
  [
    'GET /dashboard/members',
    'Who belongs to it',
    { query: PageQuery, answer: pageOf(answers.Member) },
  ],
  [
    'POST /dashboard/members',
    'Invite somebody',
    {
      body: InviteMemberBody,
      status: 201,
      answer: answers.Invitation,
      example: { email: 'grace@example.com', role: 'member' },
    },
  ],
  [
    'DELETE /dashboard/members/:id',
    'Remove a member',
    {
      status: 204,
      errors: ['permission_error', 'not_found', 'conflict'],
      note: 'Owners remove members by `user_id`; a member can leave. The last owner cannot be removed.',
    },
  ],
  [
    'POST /dashboard/keys',
    'Create an API key',
    {
      body: CreateKeyBody,
      status: 201,
      answer: answers.NewApiKey,
      example: { name: 'Checkout', mode: 'test', permission: 'otp' },
    },
  ],
  ['GET /dashboard/keys', 'List API keys', { query: PageQuery, answer: pageOf(answers.ApiKey) }],
  ['DELETE /dashboard/keys/:id', 'Revoke an API key', { status: 204 }],
  [
    'PUT /dashboard/webhook',
    'Set the webhook',
    { body: PutWebhookBody, answer: answers.PutWebhookAnswer, example: WEBHOOK },
  ],
  ['GET /dashboard/webhook', 'The webhook', { answer: answers.Webhook, errors: ['not_found'] }],
  [
    'POST /dashboard/webhook/rotate-secret',
    'Rotate its secret',
    { answer: answers.RotatedSecret, errors: ['not_found'] },
  ],
  [
    'POST /dashboard/webhook/test',
    'Send a test event',
    { answer: answers.TestEvent, errors: ['not_found', 'conflict'] },
  ],
  [
    'GET /dashboard/webhook/deliveries',
    'List deliveries',
    { query: PageQuery, answer: pageOf(WebhookDelivery), errors: ['not_found'] },
  ],
  ['DELETE /dashboard/webhook', 'Remove the webhook', { status: 204, errors: ['not_found'] }],
  [
    'POST /dashboard/prefixes/:prefix/lift',
    'Lift a restriction of a prefix',
    { body: LiftPrefixBody, answer: answers.LiftedPrefix, example: LIFT },
  ],
  [
    'GET /dashboard/messages',
    'List everything that was sent',
    {
      query: MessageListQuery,
      answer: pageOf(answers.ListedMessage),
      note: '`original_message` is what was asked to be sent, where rewriting changed it.',
    },
  ],
  [
    'GET /dashboard/ledger',
    'The ledger',
    { query: LedgerQuery, answer: pageOf(LedgerEntry), alsoAs: 'text/csv' },
  ],
  [
    'GET /dashboard/audit',
    'Who did what',
    { query: PageQuery, answer: pageOf(answers.AuditEntry) },
  ],
]);

/** What a customer's programs and people use. */
export const API_ROUTES: readonly DocumentedRoute[] = [
  ...otp,
  ...sms,
  ...money,
  ...events,
  ...health,
  ...accounts,
  ...dashboard,
  ...leaving,
];
