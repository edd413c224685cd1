import {
  CreateSmsBody,
  SmsBatchAnswer,
  SmsBatchBody,
  SmsMessage,
} from '../http/messaging.schema.js';
import { NoBody } from '../http/otp.schema.js';
import { BODY_BOUNDS } from './body-bounds.js';
import { EXAMPLE_NUMBER } from './examples.js';
import { routesOf } from './route.js';

const VARIANT_B = { errorType: 'rate_limit_exceeded', bySecond: true } as const;

/** Sends with sender IDs (variant B). Their list and record are routes of variant A's SMS. */
export const messagingRoutes = routesOf(
  { tag: 'Messaging', guard: 'key', limits: VARIANT_B, resource: 'sms' },
  {
    sendMessage: {
      at: 'POST /v1/sms',
      isSend: true,
      permissions: ['full', 'sending'],
      bodyBounds: BODY_BOUNDS.oneMessage,
      summary: 'Send an SMS message',
      description:
        'Give `body`, or `template` with `variables`. With `send_at` the message is charged now ' +
        'and sent then. The outcome comes by webhook, or from `GET /v1/sms/{id}`.',
      body: CreateSmsBody,
      status: 202,
      answer: SmsMessage,
      idempotent: true,
      errors: [
        'phone_invalid',
        'sender_id_invalid',
        'dnd_blocked',
        'sms_quota_exceeded',
        'country_not_enabled',
        'prefix_blocked',
        'idempotency_conflict',
        'conflict',
        'upstream_error',
      ],
      example: { to: EXAMPLE_NUMBER, from: 'Acme', body: 'Your order 1042 is on its way.' },
    },
    sendMessageBatch: {
      at: 'POST /v1/sms/batch',
      isSend: true,
      permissions: ['full', 'sending'],
      bodyBounds: BODY_BOUNDS.batch,
      summary: 'Send a batch of SMS messages',
      description:
        'Up to 1000 messages, accepted in order in one transaction. Each item has an outcome of ' +
        'its own; one `Idempotency-Key` replays the whole answer.',
      body: SmsBatchBody,
      status: 202,
      answer: SmsBatchAnswer,
      idempotent: true,
      errors: ['sender_id_invalid', 'idempotency_conflict', 'conflict'],
      example: {
        from: 'Acme',
        messages: [{ to: EXAMPLE_NUMBER, body: 'Your order 1042 is on its way.' }],
      },
    },
    cancelMessage: {
      at: 'POST /v1/sms/:id/cancel',
      summary: 'Cancel an SMS message',
      description:
        'Possible until the message is handed to a carrier; refunded in full. Later: 409.',
      body: NoBody,
      answer: SmsMessage,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: {},
    },
  },
);
