import type { TSchema } from '@sinclair/typebox';
import type { ErrorType } from '../errors/error-catalogue.js';
import type { KeyPermission } from '../http/operator.schema.js';
import { BODY_BOUNDS, type BodyBounds } from './body-bounds.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The credential a caller needs. */
export type Access = 'anybody' | 'key' | 'session' | 'operator';

/**
 * The guard before a route. `optional-key`: a valid key counts for its workspace, any other caller for
 * its address. `auth`: the counter of `/auth`. `callback`: the secret in the path.
 * `payment-callback`: the counter of its address; the signature is checked with the body.
 * `document`: the counter of large public documents.
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
  | 'none';

export type LimitErrorType = Extract<ErrorType, 'rate_limited' | 'rate_limit_exceeded'>;

export interface RouteLimits {
  /** `error.type` of a 429. */
  readonly errorType: LimitErrorType;
  /** Variant B's rate per second counts as well. */
  readonly bySecond?: boolean;
  /** A refusal is part of an answer with status 200, which the controller makes. */
  readonly inBand?: boolean;
}

/** What all routes of one part of the API share. */
export interface RouteFamily {
  readonly tag: string;
  readonly guard: GuardName;
  readonly limits: RouteLimits;
  /** Permissions of keys that may call the routes. */
  readonly permissions?: readonly KeyPermission[];
  readonly bodyBounds?: BodyBounds;
}

export interface RouteFacts {
  /** As the router takes it, for example `GET /v1/otp/:id`. */
  readonly at: `${Method} /${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  readonly query?: TSchema;
  /** Of a success; 200 unless given. */
  readonly status?: number;
  /** Of a success that found all done before. */
  readonly unchangedStatus?: number;
  /** Left out: the answer of a success is empty. */
  readonly answer?: TSchema;
  /** A success may also have this content type. */
  readonly alsoAs?: string;
  /** Errors of this route beside those that its guard and its schemas answer. */
  readonly errors?: readonly ErrorType[];
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Carries an `ETag` and answers 304 to a client that has this version. */
  readonly cached?: boolean;
  /** A body that succeeds. */
  readonly example?: unknown;
  /** Takes the body as text, at most this long. */
  readonly rawBodyBytesMax?: number;
  /** Content types of that body; left out: JSON, forms, CSV and plain text. */
  readonly rawBodyTypes?: readonly string[];
  /** Takes query parameters that the route does not know. */
  readonly anyQuery?: boolean;
  /** Members with this role only. */
  readonly role?: 'owner';
  /** Left out of the OpenAPI document. */
  readonly undocumented?: boolean;
  readonly guard?: GuardName;
  readonly access?: Access;
  readonly limits?: RouteLimits;
  readonly permissions?: readonly KeyPermission[];
  readonly bodyBounds?: BodyBounds;
}

/** All that the gateway, the OpenAPI document, the SDKs and the tests know about one route. */
export interface Route extends RouteFacts {
  readonly operationId: string;
  readonly tag: string;
  readonly method: Method;
  readonly path: string;
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
  none: 'anybody',
};

/** The routes of one part of the API, by their operation ids. */
export function routesOf<Name extends string>(
  family: RouteFamily,
  all: Record<Name, RouteFacts>,
): Readonly<Record<Name, Route>> {
  const { tag, permissions = ['full'], bodyBounds = BODY_BOUNDS.usual } = family;
  const named = Object.entries<RouteFacts>(all).map(([operationId, facts]) => {
    const [method, path] = facts.at.split(' ') as [Method, string];
    const guard = facts.guard ?? family.guard;
    const route: Route = {
      status: 200,
      errors: [],
      permissions,
      bodyBounds,
      limits: family.limits,
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

/** A body may be left out where nothing in it is required. Without one the route takes `{}`. */
export function isBodyOptional({ type, required = [] }: TSchema): boolean {
  return type === 'object' && (required as unknown[]).length === 0;
}
