import { type Static, Type } from '@sinclair/typebox';
import type { DeliveryId, EndpointId, EventId, MessageId, WorkspaceId } from '../ids.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { ERASURE_DEADLINE_MS, ErasureCount, ErasureSlice } from './erasure-calls.js';
import { idOf, nullable, words } from '../shapes.js';

export const WebhookAttempt = Type.Object({
  attempted_at: Type.String(),
  status_code: nullable(Type.Integer()),
  latency_ms: Type.Integer(),
  /** Up to 16 KiB of the receiver's answer. */
  response_body: nullable(Type.String()),
  error: nullable(Type.String()),
});

export const WebhookDelivery = Type.Object({
  id: idOf<DeliveryId>(),
  event_id: idOf<EventId>(),
  event_type: Type.String(),
  endpoint_id: idOf<EndpointId>(),
  url: Type.String(),
  status: words('pending', 'delivered', 'failed'),
  attempt_count: Type.Integer(),
  next_attempt_at: nullable(Type.String()),
  created_at: Type.String(),
  attempts: Type.Array(WebhookAttempt),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** An event of one message, with the deliveries that it had. */
export const DeliveredEvent = Type.Object({
  id: idOf<EventId>({ pattern: '^evt_[0-9a-f]{32}$' }),
  type: Type.String(),
  sequence: Type.Integer(),
  occurred_at: Type.String(),
  deliveries: Type.Array(WebhookDelivery),
});
export type DeliveredEvent = Static<typeof DeliveredEvent>;

const ByWorkspace = Type.Object({ workspace_id: idOf<WorkspaceId>() });
const OfMode = Type.Object({
  /** Whether only events of test messages, and test events, are meant, as for a test key. */
  test_mode_only: Type.Optional(Type.Boolean()),
});

/** Most endpoints of variant B in one workspace. */
export const WEBHOOKS_MAX = 20;
/** Most endpoints of a trial workspace, of both variants. */
export const TRIAL_WEBHOOKS_MAX = 2;

const WebhookStatus = words('enabled', 'disabled');

/** An endpoint of variant B, created by `POST /v1/webhooks`. */
export const WebhookRecord = Type.Object({
  id: idOf<EndpointId>(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: nullable(Type.String()),
  status: WebhookStatus,
  /** Why the endpoint is disabled: `gone`, `failing` or `requested`. Null while it is enabled. */
  disabled_reason: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type WebhookRecord = Static<typeof WebhookRecord>;

export const CreatedWebhook = Type.Composite([
  WebhookRecord,
  Type.Object({ secret: Type.String() }),
]);
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** A delivery as variant B shows it. `pending` includes a wait for a retry. */
export const WebhookDeliveryRecord = Type.Object({
  id: idOf<DeliveryId>(),
  webhook_id: idOf<EndpointId>(),
  event_id: idOf<EventId>(),
  event_type: Type.String(),
  status: words('pending', 'delivered', 'failed'),
  /** Id of the delivery that this one repeats. Otherwise null. */
  replay_of: nullable(Type.String()),
  attempts: Type.Array(WebhookAttempt),
  next_attempt_at: nullable(Type.String()),
  created_at: Type.String(),
});
export type WebhookDeliveryRecord = Static<typeof WebhookDeliveryRecord>;

/** A job that repeats the deliveries that failed since a time, and makes those that are missing. */
export const WebhookRecovery = Type.Object({
  id: Type.String(),
  status: words('running', 'done'),
  total: Type.Integer(),
  /** Deliveries made so far. */
  done: Type.Integer(),
});
export type WebhookRecovery = Static<typeof WebhookRecovery>;

export const webhooksCalls = defineCalls('webhooks', {
  /**
   * Lists events of the last 30 days after a sequence, oldest first. Bodies are the JSON texts that
   * are delivered. With a type filter a page can hold fewer than `limit` and still have a next one.
   */
  readEvents: call(
    Type.Composite([
      ByWorkspace,
      Type.Object({
        after: Type.Integer({ minimum: 0 }),
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
        type: Type.Optional(Type.String()),
      }),
      OfMode,
    ]),
    Type.Object({ bodies: Type.Array(Type.String()), next_after: Type.Optional(Type.Integer()) }),
  ),
  /** Returns the number of the workspace's newest event; 0 without one. */
  getLastSequence: call(ByWorkspace, Type.Object({ sequence: Type.Integer() })),
  /** Lists the events of a message, oldest first, at most 100, each with its first 100 deliveries. */
  listMessageEvents: call(
    Type.Composite([ByWorkspace, Type.Object({ message_id: idOf<MessageId>() })]),
    Type.Object({ data: Type.Array(DeliveredEvent) }),
  ),
  /** Erases a recipient from one slice of the events. A repeat changes nothing. */
  eraseEvents: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
  /** Deletes answers of webhook receivers that name the recipient, from one slice of the attempts. */
  eraseWebhookAttempts: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
});
export type WebhooksCalls = CallsOf<typeof webhooksCalls>;
