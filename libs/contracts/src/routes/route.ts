import type { TSchema } from '@sinclair/typebox';
import type { ErrorType } from '../errors/error-catalogue.js';
import type { Resource } from '../errors/unknown-resources.js';
import type { KeyPermission } from '../http/operator.schema.js';
import type { WorkspaceSettings } from '../http/workspace-settings.schema.js';
import type { ServiceName } from '../service-name.js';
import { BODY_BOUNDS, type BodyBounds } from './body-bounds.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The credential a caller needs. `optional-session`: a session that is sent must be a good one. */
export type Access = 'anybody' | 'key' | 'session' | 'optional-session' | 'operator';

/**
 * The guard before a route. `optional-key`: limits count by workspace with a valid key, by address
 * without. `auth`: the limit of `/auth`. `callback`: the secret in the path. `payment-callback`: a
 * limit by address; the signature is checked with the body. `document`: the limit of large public
 * documents. `readiness`: the same limit, counted by each gateway alone. `link`: the limit of links
 * in emails.
 */
export type GuardName =
  | 'key'
  | 'optional-key'
  | 'session'
  | 'auth'
  | 'operator'
  | 'callback'
  | 'payment-callback'
  | 'document'
  | 'readiness'
  | 'link'
  | 'none';

export type LimitErrorType = Extract<ErrorType, 'rate_limited' | 'rate_limit_exceeded'>;

export interface RouteLimits {
  /** The `error.type` of a 429. */
  readonly errorType: LimitErrorType;
  /** Whether variant B's rate per second counts as well. */
  readonly bySecond?: boolean;
  /** Whether the controller answers a refusal, as a success. */
  readonly inBand?: boolean;
}

/** What the routes of one part of the API share. */
export interface RouteFamily {
  readonly tag: string;
  readonly guard: GuardName;
  readonly limits: RouteLimits;
  /** Key permissions that may call the routes. */
  readonly permissions?: readonly KeyPermission[];
  readonly bodyBounds?: BodyBounds;
  /** The resource that the paths name. */
  readonly resource?: Resource;
  /** The service that serves the routes. Default: the gateway. */
  readonly owner?: ServiceName;
}

/** Facts about the workspace that the gateway sends to the owner of a route. */
export type CallerFact =
  'purchased_credits' | 'balance' | 'is_trial' | 'country' | 'recent_texts' | 'recent_emails';

export interface RouteFacts {
  /** Method and path in the router's syntax, for example `GET /v1/otp/:id`. */
  readonly at: `${Method} /${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  readonly query?: TSchema;
  /** Status of a success. Default 200. */
  readonly status?: number;
  /** Status of a success that changed nothing, because everything was done before. */
  readonly unchangedStatus?: number;
  /** Schema of a success. Without one, the answer is empty. */
  readonly answer?: TSchema;
  /** Schema of a 503, where that is no error but the state that the caller asks for. */
  readonly unavailableAnswer?: TSchema;
  /** Content type of a success that is not JSON. */
  readonly contentType?: string;
  /** Second content type that a success may have. */
  readonly alsoAs?: string;
  /** Errors of this route besides those of its guard and its schemas. */
  readonly errors?: readonly ErrorType[];
  /** Whether the route honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Whether it sends messages, so that overload refuses it before its body is read (ADR 67). */
  readonly isSend?: boolean;
  /** Whether answers carry an `ETag`, so that a client with this version gets 304. */
  readonly cached?: boolean;
  /** A body that the route accepts. */
  readonly example?: unknown;
  /** Takes the body as text, up to this many bytes. */
  readonly rawBodyBytesMax?: number;
  /** Content types of the text body. Default: JSON, forms, CSV and plain text. */
  readonly rawBodyTypes?: readonly string[];
  /** Whether a success sets or clears the session cookie. */
  readonly setsCookie?: boolean;
  /** Accepts unknown query parameters. */
  readonly anyQuery?: boolean;
  /** Only members with this role may call the route. */
  readonly role?: 'owner';
  /** Takes the key as the password of Basic authentication; the user name is not read. */
  readonly basicAuth?: boolean;
  /** Leaves the route out of the OpenAPI document. */
  readonly undocumented?: boolean;
  /** The resource that the path names, for its 404. Default: that of the family. */
  readonly resource?: Resource;
  /** Settings of the workspace that another owner than the gateway is given. */
  readonly settings?: readonly (keyof WorkspaceSettings)[];
  /** What another owner than the gateway is given of the workspace. */
  readonly asks?: readonly CallerFact[];
  /** Whether an answer can have megabytes. The call to its owner is then not sent together with others. */
  readonly hasLargeAnswer?: boolean;
  /** Milliseconds within which another owner than the gateway answers. Default: that of a call. */
  readonly deadlineMs?: number;
  readonly owner?: ServiceName;
  readonly guard?: GuardName;
  readonly access?: Access;
  readonly limits?: RouteLimits;
  readonly permissions?: readonly KeyPermission[];
  readonly bodyBounds?: BodyBounds;
}

/**
 * Everything that the gateway, the OpenAPI document, the SDKs and the tests know about one route.
 */
export interface Route extends RouteFacts {
  readonly operationId: string;
  readonly tag: string;
  readonly method: Method;
  readonly path: string;
  readonly owner: ServiceName;
  readonly status: number;
  readonly access: Access;
  readonly guard: GuardName;
  readonly limits: RouteLimits;
  readonly permissions: readonly KeyPermission[];
  readonly bodyBounds: BodyBounds;
  readonly errors: readonly ErrorType[];
}

const ACCESS: Record<GuardName, Access> = {
  key: 'key',
  'optional-key': 'anybody',
  session: 'session',
  auth: 'anybody',
  operator: 'operator',
  callback: 'anybody',
  'payment-callback': 'anybody',
  document: 'anybody',
  readiness: 'anybody',
  link: 'anybody',
  none: 'anybody',
};

/** The routes of one part of the API, by their operation ids. */
export function routesOf<Name extends string>(
  family: RouteFamily,
  all: Record<Name, RouteFacts>,
): Readonly<Record<Name, Route>> {
  const { tag, permissions = ['full'], bodyBounds = BODY_BOUNDS.usual } = family;
  const { owner = 'gateway' } = family;
  const named = Object.entries<RouteFacts>(all).map(([operationId, facts]) => {
    const [method, path] = facts.at.split(' ') as [Method, string];
    const guard = facts.guard ?? family.guard;
    const route: Route = {
      status: 200,
      errors: [],
      permissions,
      bodyBounds,
      owner,
      limits: family.limits,
      ...(family.resource && { resource: family.resource }),
      ...facts,
      guard,
      access: facts.access ?? ACCESS[guard],
      operationId,
      tag,
      method,
      path,
    };
    return [operationId, route];
  });
  return Object.fromEntries(named) as Record<Name, Route>;
}

/** Returns whether the service reads a body of a request, needed or not, and can refuse it. */
export function mayHaveBody({ method }: Route): boolean {
  return method !== 'GET';
}

/** Returns whether a request may leave the body out. A missing body counts as `{}`. */
export function isBodyOptional({ type, required = [] }: TSchema): boolean {
  return type === 'object' && (required as unknown[]).length === 0;
}
