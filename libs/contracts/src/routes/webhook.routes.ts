import { PageQuery } from '../http/common.schema.js';
import { NoBody } from '../http/otp.schema.js';
import {
  CreateWebhookBody,
  RecoverWebhookBody,
  RotatedSecret,
  TestWebhookBody,
  UpdateWebhookBody,
  WebhookDeliveriesQuery,
} from '../http/webhook.schema.js';
import {
  CreatedWebhook,
  WebhookDeliveryRecord,
  WebhookRecord,
  WebhookRecovery,
  WEBHOOKS_MAX,
} from '../rpc/webhooks-calls.js';
import { EXAMPLE_TIME } from './examples.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

/** Milliseconds; longer than the time a receiver has to answer. */
const TEST_DEADLINE_MS = 15_000;
/** Milliseconds; a recovery collects all its events in one statement before it answers. */
const RECOVERY_DEADLINE_MS = 15_000;

/** Webhook endpoints of variant B. The console and operators manage those of variant A. */
export const webhookRoutes = routesOf(
  {
    tag: 'Webhooks',
    owner: 'webhooks',
    guard: 'key',
    limits: { errorType: 'rate_limit_exceeded', bySecond: true },
    resource: 'webhook',
  },
  {
    createWebhook: {
      at: 'POST /v1/webhooks',
      summary: 'Create a webhook',
      description:
        `At most ${WEBHOOKS_MAX}. ` +
        '`secret` is shown only here; a retry with the same `Idempotency-Key` shows it again.',
      body: CreateWebhookBody,
      asks: ['is_trial'],
      status: 201,
      answer: CreatedWebhook,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict'],
      example: { url: 'https://example.com/webhooks', events: ['sms.delivered', 'sms.failed'] },
    },
    listWebhooks: {
      at: 'GET /v1/webhooks',
      summary: 'List webhooks',
      description: 'Newest first, without secrets.',
      query: PageQuery,
      answer: pageOf(WebhookRecord),
    },
    getWebhook: {
      at: 'GET /v1/webhooks/:id',
      summary: 'Retrieve a webhook',
      description: 'Without its secret. `disabled_reason` says why it is disabled.',
      answer: WebhookRecord,
      errors: ['not_found'],
    },
    updateWebhook: {
      at: 'PATCH /v1/webhooks/:id',
      summary: 'Update a webhook',
      description: 'Disabling it fails what is pending. Enabling it starts anew.',
      body: UpdateWebhookBody,
      asks: ['is_trial'],
      answer: WebhookRecord,
      errors: ['not_found'],
      example: { status: 'disabled' },
    },
    deleteWebhook: {
      at: 'DELETE /v1/webhooks/:id',
      summary: 'Delete a webhook',
      description: 'What is pending for it is not delivered.',
      status: 204,
      errors: ['not_found'],
    },
    rotateWebhookSecret: {
      at: 'POST /v1/webhooks/:id/rotate-secret',
      summary: 'Rotate the secret of a webhook',
      description: 'The old and the new secret both sign for 24 hours.',
      body: NoBody,
      answer: RotatedSecret,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: {},
    },
    testWebhook: {
      at: 'POST /v1/webhooks/:id/test',
      summary: 'Send a test event',
      description:
        'Posts a sample once, without retry, also to a disabled webhook. Its `sequence` is 0.',
      body: TestWebhookBody,
      deadlineMs: TEST_DEADLINE_MS,
      answer: WebhookDeliveryRecord,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: { type: 'sms.delivered' },
    },
    listWebhookDeliveries: {
      at: 'GET /v1/webhooks/:id/deliveries',
      summary: 'List webhook deliveries',
      description: 'Newest first, each with its attempts.',
      query: WebhookDeliveriesQuery,
      answer: pageOf(WebhookDeliveryRecord),
      errors: ['not_found'],
    },
    replayWebhookDelivery: {
      at: 'POST /v1/webhook-deliveries/:id/replay',
      resource: 'webhook_delivery',
      summary: 'Replay a webhook delivery',
      description: 'Makes a new delivery with the same event id and the same bytes.',
      body: NoBody,
      status: 202,
      answer: WebhookDeliveryRecord,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: {},
    },
    recoverWebhook: {
      at: 'POST /v1/webhooks/:id/recover',
      summary: 'Recover missed events',
      description:
        'Delivers what failed since a time, and what was missed while the webhook was disabled: at ' +
        'most 100 events a second, with the same ids and bytes. `since` is at most 30 days ago: ' +
        'replace the time of the example.',
      body: RecoverWebhookBody,
      deadlineMs: RECOVERY_DEADLINE_MS,
      status: 202,
      answer: WebhookRecovery,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: { since: EXAMPLE_TIME },
    },
    getWebhookRecovery: {
      at: 'GET /v1/webhooks/:id/recover/:recovery_id',
      summary: 'Retrieve a recovery',
      description: 'How many deliveries it makes, and how many it has made.',
      answer: WebhookRecovery,
      errors: ['not_found'],
    },
  },
);
