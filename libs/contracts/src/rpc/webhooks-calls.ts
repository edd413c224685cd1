import { type Static, Type } from '@sinclair/typebox';
import type { DeliveryId, EndpointId, EventId, MessageId, WorkspaceId } from '../ids.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { ERASURE_DEADLINE_MS, ErasureCount, ErasureSlice } from './erasure-calls.js';
import { idOf, nullable, pageOf, verdict, words } from '../shapes.js';

/** The workspace's endpoint of variant A, set by the dashboard or an operator. */
export const WorkspaceEndpoint = Type.Object({
  id: idOf<EndpointId>(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  status: words('enabled', 'disabled'),
  /** As in `WebhookRecord`. */
  disabled_reason: nullable(Type.String()),
  secret: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type WorkspaceEndpoint = Static<typeof WorkspaceEndpoint>;

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
const ById = Type.Object({ workspace_id: idOf<WorkspaceId>(), id: idOf<EndpointId>() });
const Keyed = Type.Object({ idempotency: nullable(IdempotencyClaim) });
const OfMode = Type.Object({
  /** Whether only events of test messages, and test events, are meant, as for a test key. */
  test_mode_only: Type.Optional(Type.Boolean()),
});

/** Most endpoints of variant B in one workspace. */
export const WEBHOOKS_MAX = 20;
/** Most endpoints of a trial workspace, of both variants. */
export const TRIAL_WEBHOOKS_MAX = 2;

const OfTrial = Type.Object({
  /** Whether the workspace is a trial. Absent means false. */
  trial: Type.Optional(Type.Boolean()),
});

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

/** An input that is refused, in English and French. */
export const RefusedWebhook = Type.Object({
  verdict: Type.Literal('refused'),
  field: words('url', 'events', 'type'),
  message: Type.String(),
  message_fr: Type.String(),
});
export type RefusedWebhook = Static<typeof RefusedWebhook>;

/** Milliseconds; longer than the time a receiver has to answer. */
const TEST_DEADLINE_MS = 15_000;

/** Milliseconds; a recovery collects all its events in one statement before it answers. */
const RECOVERY_DEADLINE_MS = 15_000;

export const webhooksCalls = defineCalls('webhooks', {
  /**
   * Creates or changes the endpoint. A repeated call keeps the secret. `events: null` means the
   * default events.
   */
  putWorkspaceEndpoint: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      url: Type.String(),
      events: nullable(Type.Array(Type.String())),
      trial: OfTrial.properties.trial,
    }),
    Type.Union([
      Type.Object({ verdict: Type.Literal('done'), endpoint: WorkspaceEndpoint }),
      RefusedWebhook,
      verdict('too_many'),
    ]),
  ),
  getWorkspaceEndpoint: call(ByWorkspace, Type.Object({ endpoint: nullable(WorkspaceEndpoint) })),
  deleteWorkspaceEndpoint: call(ByWorkspace, Type.Object({ deleted: Type.Boolean() })),
  /** Replaces the secret. For 24 hours the old secret signs too. */
  rotateWorkspaceSecret: call(
    ByWorkspace,
    Type.Union([
      Type.Object({ secret: Type.String(), previous_expires_at: Type.String() }),
      verdict('not_found'),
    ]),
    { idempotent: false },
  ),
  /**
   * Sends a synthetic `credit_balance.topped_up` with `test: true` to the workspace's endpoint,
   * regardless of its subscriptions. It is numbered, delivered, retried and listed like any event.
   */
  sendTestEvent: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), balance: Type.Integer() }),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('sent'),
        event_id: idOf<EventId>(),
        event_type: Type.String(),
        delivery_id: idOf<DeliveryId>(),
      }),
      verdict('not_found', 'disabled'),
    ]),
    { idempotent: false },
  ),
  /**
   * Lists events of the last 30 days after a sequence, oldest first. Bodies are the JSON texts that
   * are delivered. With a type filter a page can hold fewer than `limit` and still have a next one.
   */
  listEvents: call(
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
  /** Creates an endpoint. A replay returns the secret again. */
  createWebhook: call(
    Type.Composite([
      ByWorkspace,
      Keyed,
      OfTrial,
      Type.Object({
        url: Type.String(),
        events: Type.Array(Type.String()),
        description: nullable(Type.String()),
      }),
    ]),
    Type.Union([
      Type.Object({ replayed: Type.Boolean(), webhook: CreatedWebhook }),
      RefusedWebhook,
      verdict('too_many', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Lists the endpoints, at most 20, newest first. */
  listWebhooks: call(ByWorkspace, Type.Object({ data: Type.Array(WebhookRecord) })),
  getWebhook: call(ById, Type.Object({ webhook: nullable(WebhookRecord) })),
  /** Changes an endpoint. Disabling it fails its pending deliveries. */
  updateWebhook: call(
    Type.Composite([
      ById,
      OfTrial,
      Type.Object({
        url: Type.Optional(Type.String()),
        events: Type.Optional(Type.Array(Type.String())),
        description: Type.Optional(nullable(Type.String())),
        status: Type.Optional(WebhookStatus),
      }),
    ]),
    Type.Union([Type.Object({ webhook: WebhookRecord }), RefusedWebhook, verdict('not_found')]),
  ),
  deleteWebhook: call(ById, Type.Object({ deleted: Type.Boolean() })),
  /** Replaces the secret. For 24 hours the old secret signs too. */
  rotateWebhookSecret: call(
    Type.Composite([ById, Keyed]),
    Type.Union([
      Type.Object({
        replayed: Type.Boolean(),
        secret: Type.String(),
        previous_expires_at: Type.String(),
      }),
      verdict('not_found', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Posts a sample once, without retries, even to a disabled endpoint. Returns the result. */
  testWebhook: call(
    Type.Composite([ById, Keyed, Type.Object({ type: nullable(Type.String()) })]),
    Type.Union([
      Type.Object({ replayed: Type.Boolean(), delivery: WebhookDeliveryRecord }),
      RefusedWebhook,
      verdict('not_found', 'idempotency_conflict', 'full'),
    ]),
    { idempotent: false, deadlineMs: TEST_DEADLINE_MS },
  ),
  /** Lists deliveries, newest first. A page can be short and still have a next one. */
  listWebhookDeliveries: call(
    Type.Composite([
      ById,
      Type.Object({
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
        cursor: Type.Optional(Type.String()),
        status: Type.Optional(Type.String()),
        event_type: Type.Optional(Type.String()),
        created_after: Type.Optional(Type.String()),
      }),
      OfMode,
    ]),
    Type.Union([pageOf(WebhookDeliveryRecord), verdict('bad_cursor', 'not_found')]),
  ),
  /** Creates a new delivery of the same event, with the same id and bytes. */
  replayWebhookDelivery: call(
    Type.Composite([ByWorkspace, Keyed, Type.Object({ id: idOf<DeliveryId>() }), OfMode]),
    Type.Union([
      Type.Object({ replayed: Type.Boolean(), delivery: WebhookDeliveryRecord }),
      verdict('not_found', 'disabled', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** `too_old`: events of that time are no longer kept. */
  recoverWebhook: call(
    Type.Composite([ById, Keyed, Type.Object({ since: Type.String() }), OfMode]),
    Type.Union([
      Type.Object({ replayed: Type.Boolean(), recovery: WebhookRecovery }),
      verdict('not_found', 'disabled', 'running', 'too_old', 'idempotency_conflict'),
    ]),
    { idempotent: false, deadlineMs: RECOVERY_DEADLINE_MS },
  ),
  getWebhookRecovery: call(
    Type.Composite([ById, Type.Object({ recovery_id: Type.String() })]),
    Type.Object({ recovery: nullable(WebhookRecovery) }),
  ),
  /** Lists deliveries, newest first. */
  listDeliveries: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      cursor: Type.Optional(Type.String()),
    }),
    Type.Union([pageOf(WebhookDelivery), verdict('bad_cursor')]),
  ),
  /** Erases a recipient from one slice of the events. A repeat changes nothing. */
  eraseEvents: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
  /** Deletes answers of webhook receivers that name the recipient, from one slice of the attempts. */
  eraseWebhookAttempts: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
});
export type WebhooksCalls = CallsOf<typeof webhooksCalls>;
