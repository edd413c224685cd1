import { type Static, Type } from '@sinclair/typebox';
import { call, type CallsOf, defineCalls } from './calls.js';

const nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** The workspace's own endpoint, configured by dashboard or operator: it speaks variant A. */
export const WorkspaceEndpoint = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  status: Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]),
  secret: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type WorkspaceEndpoint = Static<typeof WorkspaceEndpoint>;

export const WebhookAttempt = Type.Object({
  attempted_at: Type.String(),
  status_code: nullable(Type.Integer()),
  latency_ms: Type.Integer(),
  /** Up to 16 KiB of the answer. */
  response_body: nullable(Type.String()),
  error: nullable(Type.String()),
});

export const WebhookDelivery = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  endpoint_id: Type.String(),
  url: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempt_count: Type.Integer(),
  next_attempt_at: nullable(Type.String()),
  created_at: Type.String(),
  attempts: Type.Array(WebhookAttempt),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const ByWorkspace = Type.Object({ workspace_id: Type.String() });

export const webhooksCalls = defineCalls('webhooks', {
  /** Creates or changes it; asking again keeps the secret. `events: null` means the default ones. */
  putWorkspaceEndpoint: call(
    Type.Object({
      workspace_id: Type.String(),
      url: Type.String(),
      events: nullable(Type.Array(Type.String())),
    }),
    Type.Union([
      Type.Object({ verdict: Type.Literal('done'), endpoint: WorkspaceEndpoint }),
      Type.Object({
        verdict: Type.Literal('refused'),
        field: Type.Union([Type.Literal('url'), Type.Literal('events')]),
        message: Type.String(),
      }),
    ]),
  ),
  getWorkspaceEndpoint: call(ByWorkspace, Type.Object({ endpoint: nullable(WorkspaceEndpoint) })),
  deleteWorkspaceEndpoint: call(ByWorkspace, Type.Object({ deleted: Type.Boolean() })),
  /** The old secret signs too for 24 hours. */
  rotateWorkspaceSecret: call(
    ByWorkspace,
    Type.Union([
      Type.Object({ secret: Type.String(), previous_expires_at: Type.String() }),
      Type.Object({ verdict: Type.Literal('not_found') }),
    ]),
    { idempotent: false },
  ),
  /**
   * Sends a synthetic `credit_balance.topped_up` with `test: true` to the workspace's endpoint, whatever that
   * is subscribed to. It is an event like any other: numbered, delivered, retried, listed.
   */
  sendTestEvent: call(
    Type.Object({ workspace_id: Type.String(), balance: Type.Integer() }),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('sent'),
        event_id: Type.String(),
        event_type: Type.String(),
        delivery_id: Type.String(),
      }),
      Type.Object({
        verdict: Type.Union([Type.Literal('not_found'), Type.Literal('disabled')]),
      }),
    ]),
    { idempotent: false },
  ),
  /**
   * Oldest first, those after a sequence, of the last 30 days. Bodies are the JSON texts as they are
   * delivered. A page of one type can hold fewer than `limit` and still have a next one.
   */
  listEvents: call(
    Type.Object({
      workspace_id: Type.String(),
      after: Type.Integer({ minimum: 0 }),
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      type: Type.Optional(Type.String()),
    }),
    Type.Object({ bodies: Type.Array(Type.String()), next_after: Type.Optional(Type.Integer()) }),
  ),
  /** Newest first. */
  listDeliveries: call(
    Type.Object({
      workspace_id: Type.String(),
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      cursor: Type.Optional(Type.String()),
    }),
    Type.Union([
      Type.Object({ data: Type.Array(WebhookDelivery), next_cursor: Type.Optional(Type.String()) }),
      Type.Object({ verdict: Type.Literal('bad_cursor') }),
    ]),
  ),
});
export type WebhooksCalls = CallsOf<typeof webhooksCalls>;
