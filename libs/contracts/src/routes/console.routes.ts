import { Type } from '@sinclair/typebox';
import {
  ChangeOwnWorkspaceBody,
  INVITATIONS_PER_DAY,
  InviteMemberBody,
  RemoveMemberQuery,
} from '../http/account.schema.js';
import { PageQuery, StreamQuery } from '../http/common.schema.js';
import { EmailListQuery, ListedEmail } from '../http/email.schema.js';
import { ListedMessage } from '../http/listed-message.schema.js';
import { MessageListQuery, MessageSearchQuery } from '../http/message-list.schema.js';
import {
  CreateKeyBody,
  LedgerQuery,
  LiftPrefixBody,
  PutWebhookBody,
} from '../http/operator.schema.js';
import * as answers from '../openapi/answer.schema.js';
import { LedgerEntry, Statement } from '../rpc/billing-calls.js';
import { Overview, OVERVIEW_POINTS_MAX, OverviewQuery } from '../http/overview.schema.js';
import { WebhookDelivery } from '../rpc/webhooks-calls.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

export const consoleRoutes = routesOf(
  { tag: 'Dashboard', guard: 'session', limits: { errorType: 'rate_limit_exceeded' } },
  {
    getOwnWorkspace: {
      at: 'GET /dashboard/workspace',
      summary: 'Retrieve the workspace',
      answer: answers.Workspace,
    },
    updateOwnWorkspace: {
      at: 'PATCH /dashboard/workspace',
      role: 'owner',
      summary: 'Update the workspace',
      description:
        'Owners only. Settings merge deeply; `limits` and `anti_spam_allow` can only be changed by an operator. ' +
        '`anti_spam`, `country_enforcement` and `sender_id_enforcement` can be no looser than an operator set them (`floors`).',
      body: ChangeOwnWorkspaceBody,
      answer: answers.Workspace,
      errors: ['conflict'],
      example: { settings: { default_language: 'fr' } },
    },
    listMembers: {
      at: 'GET /dashboard/members',
      summary: 'List members',
      query: PageQuery,
      answer: pageOf(answers.Member),
    },
    inviteMember: {
      at: 'POST /dashboard/members',
      role: 'owner',
      summary: 'Create an invitation',
      description:
        'Owners only. The token of the invitation is shown once. It replaces an open invitation of the address. ' +
        `At most ${INVITATIONS_PER_DAY} a UTC day for each workspace.`,
      body: InviteMemberBody,
      status: 201,
      answer: answers.Invitation,
      errors: ['rate_limited'],
      example: { email: 'grace@example.com', role: 'member' },
    },
    listInvitations: {
      at: 'GET /dashboard/invitations',
      role: 'owner',
      summary: 'List open invitations',
      description: 'Owners only. Newest first, without the tokens.',
      query: PageQuery,
      answer: pageOf(answers.OpenInvitation),
    },
    withdrawInvitation: {
      at: 'DELETE /dashboard/invitations/:id',
      resource: 'invitation',
      role: 'owner',
      summary: 'Withdraw an invitation',
      description: 'Owners only. Its token is refused from then on.',
      status: 204,
      errors: ['not_found'],
    },
    removeMember: {
      at: 'DELETE /dashboard/members/:id',
      resource: 'member',
      summary: 'Remove a member',
      description:
        'Owners remove members by `user_id`; a member can leave. The last owner cannot be removed. Invitations of the ' +
        'address, and those that the member made, are withdrawn. A member who made live keys that still work needs ' +
        '`keys`: `revoke` revokes all keys that the member made, `keep` none. Without it the answer is 409. It ' +
        'comes when every gateway refuses the revoked keys.',
      query: RemoveMemberQuery,
      status: 204,
      errors: ['permission_error', 'not_found', 'conflict'],
    },
    createOwnKey: {
      at: 'POST /dashboard/keys',
      summary: 'Create an API key',
      description: 'The key is shown once.',
      body: CreateKeyBody,
      status: 201,
      answer: answers.NewApiKey,
      example: { name: 'Checkout', mode: 'test', permission: 'otp' },
    },
    listOwnKeys: {
      at: 'GET /dashboard/keys',
      summary: 'List API keys',
      query: PageQuery,
      answer: pageOf(answers.ApiKey),
    },
    revokeOwnKey: {
      at: 'DELETE /dashboard/keys/:id',
      resource: 'api_key',
      summary: 'Revoke an API key',
      description: 'Answers when every gateway refuses the key.',
      status: 204,
      errors: ['not_found'],
    },
    putOwnWebhook: {
      at: 'PUT /dashboard/webhook',
      owner: 'webhooks',
      asks: ['is_trial'],
      summary: 'Set the webhook',
      description: 'The webhook of variant A. A second call keeps the secret.',
      body: PutWebhookBody,
      answer: answers.PutWebhookAnswer,
      example: { url: 'https://example.com/hooks/watchword', events: ['otp.delivered'] },
    },
    getOwnWebhook: {
      at: 'GET /dashboard/webhook',
      owner: 'webhooks',
      summary: 'Retrieve the webhook',
      answer: answers.Webhook,
      errors: ['not_found'],
    },
    rotateOwnWebhookSecret: {
      at: 'POST /dashboard/webhook/rotate-secret',
      owner: 'webhooks',
      summary: "Rotate the webhook's secret",
      description: 'The old and the new secret both sign for 24 hours.',
      answer: answers.RotatedSecret,
      errors: ['not_found'],
    },
    testOwnWebhook: {
      at: 'POST /dashboard/webhook/test',
      owner: 'webhooks',
      asks: ['balance'],
      summary: 'Send a test event',
      answer: answers.TestEvent,
      errors: ['not_found', 'conflict'],
    },
    listOwnWebhookDeliveries: {
      at: 'GET /dashboard/webhook/deliveries',
      owner: 'webhooks',
      summary: 'List webhook deliveries',
      query: PageQuery,
      answer: pageOf(WebhookDelivery),
      errors: ['not_found'],
    },
    deleteOwnWebhook: {
      at: 'DELETE /dashboard/webhook',
      owner: 'webhooks',
      summary: 'Delete the webhook',
      status: 204,
      errors: ['not_found'],
    },
    liftOwnPrefix: {
      at: 'POST /dashboard/prefixes/:prefix/lift',
      resource: 'prefix',
      role: 'owner',
      summary: 'Lift the restriction of a prefix',
      description: 'Owners only.',
      body: LiftPrefixBody,
      answer: answers.LiftedPrefix,
      errors: ['not_found'],
      example: { reason: 'A campaign of ours, announced yesterday.' },
    },
    listAllMessages: {
      at: 'GET /dashboard/messages',
      owner: 'dispatch',
      asks: ['recent_texts'],
      summary: 'List one-time passwords and SMS',
      description: '`original_message` is the text of the request, if rewriting changed it.',
      query: MessageListQuery,
      answer: pageOf(ListedMessage),
    },
    searchOwnMessages: {
      at: 'GET /dashboard/search',
      owner: 'dispatch',
      asks: ['country', 'recent_texts', 'recent_emails'],
      summary: 'List one-time passwords, SMS and emails',
      description:
        'Codes, SMS and emails of both modes in one list, newest first. A page can be short and still have a `next_cursor`. ' +
        '`q` finds an id, an address, or a number in any writing.',
      query: MessageSearchQuery,
      answer: pageOf(answers.FoundOwnMessage),
    },
    getOwnMessage: {
      at: 'GET /dashboard/messages/:id',
      resource: 'message',
      summary: 'Retrieve a message of any channel',
      description:
        'The record with its timeline, each attempt with the meaning of its code, the entries of its charge and its refund, ' +
        'and its events with their webhook deliveries.',
      answer: answers.MessagePage,
      errors: ['not_found'],
    },
    streamOwnEvents: {
      at: 'GET /dashboard/stream',
      summary: 'Stream events',
      description:
        'Server-sent events: the bodies of `GET /v1/events` of both modes, as they come, each with its `sequence` as id. ' +
        'It begins after `after` or `Last-Event-ID`, or now. An event `reset` says that more was missed than it ' +
        'repeats. Comments keep the connection open. It ends with the session. A workspace may hold 20 streams open.',
      query: StreamQuery,
      answer: Type.String({ description: 'Server-sent events.' }),
      contentType: 'text/event-stream',
    },
    listOwnEmails: {
      at: 'GET /dashboard/emails',
      owner: 'dispatch',
      asks: ['recent_emails'],
      hasLargeAnswer: true,
      summary: 'List emails of both modes',
      description: 'Newest first, as `GET /v1/emails` lists them.',
      query: EmailListQuery,
      answer: pageOf(ListedEmail),
    },
    getOverview: {
      at: 'GET /dashboard/overview',
      owner: 'dispatch',
      summary: 'Retrieve the overview',
      description:
        'Sends, deliveries, verifications, credits and times to delivery by hour or day and by one dimension, with the period ' +
        'before. A message counts in the hour in which it was accepted, with everything that happens to it later. The figures ' +
        'agree with the messages at any time, and stay when old messages are deleted. ' +
        `A period has at most ${OVERVIEW_POINTS_MAX} hours or days.`,
      query: OverviewQuery,
      answer: Overview,
    },
    listOwnLedgerEntries: {
      at: 'GET /dashboard/ledger',
      summary: 'List ledger entries',
      description: 'Newest first. `Accept: text/csv` streams the whole ledger from `cursor` on.',
      query: LedgerQuery,
      answer: pageOf(LedgerEntry),
      alsoAs: 'text/csv',
    },
    getOwnStatement: {
      at: 'GET /dashboard/statements/:month',
      resource: 'statement',
      summary: 'Retrieve the statement of a month',
      description:
        'The ledger of a month in UTC, `2026-11`: charges and refunds by channel and country, top-ups, and the balances before ' +
        'and after. `opening` and all `credits` together are `closing`. `Accept: text/csv` gives the same lines.',
      answer: Statement,
      alsoAs: 'text/csv',
      errors: ['not_found'],
    },
    listAuditRecords: {
      at: 'GET /dashboard/audit',
      role: 'owner',
      summary: 'List audit records',
      description: 'Owners only. Calls that could change something, newest first.',
      query: PageQuery,
      answer: pageOf(answers.AuditEntry),
    },
  },
);
