import { type Static, Type } from '@sinclair/typebox';
import {
  ApiError,
  ERROR_CATALOGUE,
  type ErrorText,
  type ErrorType,
} from '../errors/error-catalogue.js';
import { WorkspaceSettings } from '../http/workspace-settings.schema.js';
import type { UserId, WorkspaceId } from '../ids.js';
import { mayHaveBody, type Route } from '../routes/route.js';
import { ROUTES } from '../routes/routes.js';
import type { ServiceName } from '../service-name.js';
import { idOf, nullable } from '../shapes.js';
import { RecentSend } from './billing-calls.js';
import { call, defineCalls, type ServiceCalls } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';

/**
 * The caller of a route. Only the gateway's guards fill it: no member of a path, a query or a body
 * becomes a part of it.
 */
export const OperationCaller = Type.Object({
  /** Of an operator the workspace in the path, or null. */
  workspace_id: nullable(idOf<WorkspaceId>()),
  /** Mode of the key. Null for a console session and an operator, which see both modes. */
  test_mode: nullable(Type.Boolean()),
  /** The user of a session, on a dashboard's route. */
  user: Type.Optional(Type.Object({ id: idOf<UserId>(), email: Type.String() })),
  /** The following facts only where the route's constant asks for them. Without one, the owner assumes no credits and a trial. */
  purchased_credits: Type.Optional(Type.Integer()),
  balance: Type.Optional(Type.Integer()),
  is_trial: Type.Optional(Type.Boolean()),
  /** The billing country. */
  country: Type.Optional(Type.String()),
  /** Messages that billing accepted in the last moments, which may be on their way to the owner. */
  recent_sends: Type.Optional(Type.Array(RecentSend)),
});
export type OperationCaller = Static<typeof OperationCaller>;

/** A request that the gateway admitted and validated, for the service that owns the route. */
export const OperationRequest = Type.Object({
  caller: OperationCaller,
  /** Parameters of the path, ids in lower case. */
  parameters: Type.Record(Type.String(), Type.String()),
  query: Type.Optional(Type.Unknown()),
  body: Type.Optional(Type.Unknown()),
  /** The workspace's settings that the route's constant names. */
  settings: Type.Optional(Type.Partial(WorkspaceSettings)),
  claim: nullable(IdempotencyClaim),
});
export type OperationRequest = Static<typeof OperationRequest>;

/** What the method of a route returns, which the edge turns into an answer. */
export interface Outcome<Body = unknown> {
  /** Absent for an empty answer. */
  body?: Body;
  /** JSON text to send unchanged, instead of a body. */
  json?: string;
  /** Whether it is the answer of an earlier request with the same `Idempotency-Key`. */
  replayed?: boolean;
  /** Whether everything was done before. The route's `unchangedStatus` then applies. */
  unchanged?: boolean;
  /** What the audit log stores, never a key or a secret. Most reads have none. */
  effect?: Record<string, unknown>;
  /** Effects of a read on further workspaces. It is answered only once the audit log has them. */
  furtherEffects?: readonly Record<string, unknown>[];
}

/** An expected failure, as it crosses the network. */
const Refusal = Type.Object({
  type: Type.Unsafe<ErrorType>(Type.String()),
  status: Type.Integer(),
  text: Type.Unsafe<ErrorText>(Type.Object({})),
  field: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(Type.Number()),
});
export type Refusal = Static<typeof Refusal>;

export const OperationAnswer = Type.Union([
  Type.Object({ refusal: Refusal }),
  Type.Object({ outcome: Type.Unsafe<Outcome>(Type.Object({})) }),
]);
export type OperationAnswer = Static<typeof OperationAnswer>;

export function refusalOf({ type, status, text, field, retryAfterSeconds }: ApiError): Refusal {
  const refusal: Refusal = { type, status, text };
  if (field !== undefined) refusal.field = field;
  if (retryAfterSeconds !== undefined) refusal.retry_after_seconds = retryAfterSeconds;
  return refusal;
}

export function errorOf({ type, status, text, field, ...refusal }: Refusal): ApiError {
  return new ApiError(type, {
    message: text,
    ...(status !== ERROR_CATALOGUE[type].status && { status }),
    ...(field !== undefined && { field }),
    ...(refusal.retry_after_seconds !== undefined && {
      retryAfterSeconds: refusal.retry_after_seconds,
    }),
  });
}

/** HTTP's idempotent methods: a request may be repeated where its outcome is unknown. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

const callOf = (route: Route) =>
  call(OperationRequest, OperationAnswer, {
    idempotent: REPEATABLE.has(route.method),
    alone: mayHaveBody(route) || (route.hasLargeAnswer ?? false),
    ...(route.deadlineMs !== undefined && { deadlineMs: route.deadlineMs }),
  });

type Operations = ServiceCalls<Record<string, ReturnType<typeof callOf>>>;

const operationsOf = (service: ServiceName): Operations => {
  const own = ROUTES.filter(({ owner }) => owner === service);
  return defineCalls(
    service,
    Object.fromEntries(own.map((route) => [route.operationId, callOf(route)])),
  );
};

/** The routes that each service serves, as calls of one form. The name of a call is its operation id. */
export const OPERATIONS: Readonly<Record<Exclude<ServiceName, 'gateway'>, Operations>> = {
  billing: operationsOf('billing'),
  dispatch: operationsOf('dispatch'),
  webhooks: operationsOf('webhooks'),
};

/** A request of a service to a route of another one. */
export type RouteRequest = Partial<Omit<OperationRequest, 'caller'> & OperationCaller>;

type Serve = (request: OperationRequest) => Promise<OperationAnswer>;

/** Calls a route of its owner. A refusal is thrown as an `ApiError`. */
export async function callRoute<Body = unknown>(
  operations: Readonly<Record<string, Serve>>,
  { operationId }: Route,
  { parameters = {}, query = {}, body, settings, claim = null, ...caller }: RouteRequest,
): Promise<Outcome<Body>> {
  const serve = operations[operationId];
  if (!serve) throw new Error(`${operationId} is not served`);
  const answer = await serve({
    caller: { workspace_id: null, test_mode: null, ...caller },
    ...{ parameters, query, claim },
    ...(body !== undefined && { body }),
    ...(settings && { settings }),
  });
  if ('refusal' in answer) throw errorOf(answer.refusal);
  return answer.outcome as Outcome<Body>;
}
