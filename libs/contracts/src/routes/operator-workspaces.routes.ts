import { PageQuery } from '../http/common.schema.js';
import {
  ChangeWorkspaceBody,
  CreateKeyBody,
  CreateWorkspaceBody,
  LedgerQuery,
  LiftPrefixBody,
  PutPlanBody,
  PutWebhookBody,
  TopUpBody,
} from '../http/operator.schema.js';
import * as answers from '../openapi/answer.schema.js';
import { LedgerEntry, Plan } from '../rpc/billing-calls.js';
import { WebhookDelivery } from '../rpc/webhooks-calls.js';
import { type RouteFamily, routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const MISSING = ['not_found'] as const;

export const OPERATOR: RouteFamily = {
  tag: 'Operator',
  guard: 'operator',
  limits: { errorType: 'rate_limit_exceeded' },
};

export const operatorWorkspaceRoutes = routesOf(
  { ...OPERATOR, resource: 'workspace' },
  {
    createWorkspace: {
      at: 'POST /operator/v1/workspaces',
      summary: 'Create a workspace',
      description: 'With a live and a test key, both shown once.',
      body: CreateWorkspaceBody,
      status: 201,
      answer: answers.NewWorkspace,
      example: { name: 'Acme', credits: 1000, billing_country: 'NG' },
    },
    listWorkspaces: {
      at: 'GET /operator/v1/workspaces',
      summary: 'List workspaces',
      query: PageQuery,
      answer: pageOf(answers.Workspace),
    },
    getWorkspace: {
      at: 'GET /operator/v1/workspaces/:id',
      summary: 'Retrieve a workspace',
      answer: answers.Workspace,
      errors: MISSING,
    },
    updateWorkspace: {
      at: 'PATCH /operator/v1/workspaces/:id',
      summary: 'Update a workspace',
      description:
        'Settings merge deeply. `anti_spam`, `country_enforcement` and `sender_id_enforcement` become floors: the ' +
        'owner may be stricter, and the stricter value holds. Null removes the floor.',
      body: ChangeWorkspaceBody,
      answer: answers.Workspace,
      errors: MISSING,
      example: { settings: { default_language: 'fr', limits: { key_per_minute: 1200 } } },
    },
    confirmWorkspace: {
      at: 'POST /operator/v1/workspaces/:id/confirm',
      summary: 'Confirm a workspace',
      description: 'Enters the trial credits that await confirmation. A repeat changes nothing.',
      answer: answers.Workspace,
      errors: MISSING,
    },
    createTopUp: {
      at: 'POST /operator/v1/workspaces/:id/top-ups',
      owner: 'billing',
      summary: 'Create a top-up',
      description: 'Adds credits. Only an `adjustment` may take credits away.',
      body: TopUpBody,
      status: 201,
      answer: answers.TopUp,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: { credits: 500, kind: 'purchase', note: 'Invoice 17' },
    },
    listWorkspaceLedgerEntries: {
      at: 'GET /operator/v1/workspaces/:id/ledger',
      owner: 'billing',
      summary: 'List ledger entries of a workspace',
      query: LedgerQuery,
      answer: pageOf(LedgerEntry),
      errors: MISSING,
    },
    getPlan: {
      at: 'GET /operator/v1/workspaces/:id/plan',
      owner: 'billing',
      summary: 'Retrieve the plan of a workspace',
      description: 'Monthly quotas and what is left of them.',
      answer: Plan,
      errors: MISSING,
    },
    putPlan: {
      at: 'PUT /operator/v1/workspaces/:id/plan',
      owner: 'billing',
      summary: 'Set the plan of a workspace',
      description: 'At least one quota is required. The other becomes 0 unless it is given.',
      body: PutPlanBody,
      answer: Plan,
      errors: MISSING,
      example: { sms_segments_per_month: 5000, emails_per_month: 0 },
    },
    deletePlan: {
      at: 'DELETE /operator/v1/workspaces/:id/plan',
      owner: 'billing',
      summary: 'Delete the plan of a workspace',
      description: 'Sets both monthly quotas to 0. What was used stays used.',
      status: 204,
      errors: MISSING,
    },
    createKey: {
      at: 'POST /operator/v1/workspaces/:id/keys',
      summary: 'Create an API key',
      description: 'The key is shown once.',
      body: CreateKeyBody,
      status: 201,
      answer: answers.NewApiKey,
      errors: MISSING,
      example: { name: 'Checkout', mode: 'live', permission: 'full' },
    },
    listKeys: {
      at: 'GET /operator/v1/workspaces/:id/keys',
      summary: 'List API keys of a workspace',
      query: PageQuery,
      answer: pageOf(answers.ApiKey),
      errors: MISSING,
    },
    revokeKey: {
      at: 'DELETE /operator/v1/keys/:id',
      resource: 'api_key',
      summary: 'Revoke an API key',
      description: 'Answers when every gateway refuses the key.',
      status: 204,
      errors: MISSING,
    },
    putWorkspaceWebhook: {
      at: 'PUT /operator/v1/workspaces/:id/webhook',
      owner: 'webhooks',
      asks: ['is_trial'],
      summary: 'Set the webhook of a workspace',
      description: 'The webhook of variant A. A second call keeps the secret.',
      body: PutWebhookBody,
      answer: answers.PutWebhookAnswer,
      errors: MISSING,
      example: { url: 'https://example.com/hooks/watchword' },
    },
    rotateWorkspaceWebhookSecret: {
      at: 'POST /operator/v1/workspaces/:id/webhook/rotate-secret',
      owner: 'webhooks',
      summary: "Rotate the secret of a workspace's webhook",
      description: 'The old and the new secret both sign for 24 hours.',
      answer: answers.RotatedSecret,
      errors: MISSING,
    },
    listWorkspaceWebhookDeliveries: {
      at: 'GET /operator/v1/workspaces/:id/webhook/deliveries',
      owner: 'webhooks',
      summary: "List deliveries of a workspace's webhook",
      query: PageQuery,
      answer: pageOf(WebhookDelivery),
      errors: MISSING,
    },
    deleteWorkspaceWebhook: {
      at: 'DELETE /operator/v1/workspaces/:id/webhook',
      owner: 'webhooks',
      summary: 'Delete the webhook of a workspace',
      status: 204,
      errors: MISSING,
    },
    liftPrefix: {
      at: 'POST /operator/v1/workspaces/:id/prefixes/:prefix/lift',
      summary: 'Lift the restriction of a prefix',
      body: LiftPrefixBody,
      answer: answers.LiftedPrefix,
      errors: MISSING,
      example: { reason: 'The customer explained it.' },
    },
  },
);
