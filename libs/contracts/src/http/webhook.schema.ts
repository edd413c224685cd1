import { type Static, Type } from '@sinclair/typebox';
import { EventName } from '../events/webhook-event-names.js';
import { PageQuery } from './common.schema.js';
import { nullable } from '../shapes.js';

const url = Type.String({
  description: 'HTTPS address of the receiver, on the public internet.',
  examples: ['https://example.com/webhooks'],
});
const events = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of the events that the endpoint gets, or `["*"]` for all of them.',
  examples: [['sms.delivered', 'sms.failed']],
});
const description = nullable(
  Type.String({ maxLength: 500, description: 'Free text for people.', examples: ['Orders'] }),
);

export const CreateWebhookBody = Type.Object({
  url,
  events,
  description: Type.Optional(description),
});
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

export const UpdateWebhookBody = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(description),
  status: Type.Optional(
    Type.Union([Type.Literal('enabled'), Type.Literal('disabled')], {
      description: 'A disabled endpoint gets nothing, and what was pending for it fails.',
      examples: ['disabled'],
    }),
  ),
});
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

export const TestWebhookBody = Type.Object({
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Name of the event to send; by default the first one that it subscribes to.',
      examples: ['sms.delivered'],
    }),
  ),
});
export type TestWebhookBody = Static<typeof TestWebhookBody>;

/** Days that events are kept, and so for which endpoints can recover. */
export const RECOVERY_DAYS_MAX = 30;

export const RecoverWebhookBody = Type.Object({
  since: Type.String({
    maxLength: 40,
    description: `RFC 3339 time, at most ${RECOVERY_DAYS_MAX} days ago.`,
    examples: ['2026-11-22T14:05:09.123Z'],
  }),
});
export type RecoverWebhookBody = Static<typeof RecoverWebhookBody>;

export const WebhookDeliveriesQuery = Type.Composite([
  PageQuery,
  Type.Object({
    status: Type.Optional(
      Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')], {
        description: '`pending` includes waiting for a retry.',
        examples: ['failed'],
      }),
    ),
    event_type: Type.Optional(EventName),
    created_after: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'RFC 3339 time, exclusive.',
        examples: ['2026-11-22T14:05:09.123Z'],
      }),
    ),
  }),
]);
export type WebhookDeliveriesQuery = Static<typeof WebhookDeliveriesQuery>;

export const RotatedSecret = Type.Object({
  secret: Type.String({ description: 'The new secret; shown only here.' }),
  previous_expires_at: Type.String({ description: 'Until then the old secret signs, too.' }),
});
export type RotatedSecret = Static<typeof RotatedSecret>;
