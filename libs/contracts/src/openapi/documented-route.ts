import type { TSchema } from '@sinclair/typebox';
import type { ErrorType } from '../errors/error-catalogue.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may come: anybody, an API key, a person who is logged in, the operator. */
export type Access = 'anybody' | 'key' | 'session' | 'operator';

export interface RouteFacts {
  access?: Access;
  body?: TSchema;
  query?: TSchema;
  /** Of a success: 200 unless told, and nothing in it where there is no schema. */
  status?: number;
  answer?: TSchema;
  /** A success may also be of this type. */
  alsoAs?: string;
  /** What this route refuses in words of its own. */
  errors?: ErrorType[];
  /** Honours `Idempotency-Key`. */
  idempotent?: boolean;
  /** Carries an `ETag`, and answers 304 to whoever has it already. */
  cached?: boolean;
  /** A body that succeeds. */
  example?: unknown;
  note?: string;
}

export interface DocumentedRoute extends RouteFacts {
  method: Method;
  /** As it was registered, for example `/v1/otp/:id`. */
  path: string;
  summary: string;
  tag: string;
  access: Access;
}

/** The routes of one part of the API. */
export function routesOf(
  tag: string,
  access: Access,
  routes: readonly [line: string, summary: string, facts?: RouteFacts][],
): DocumentedRoute[] {
  return routes.map(([line, summary, facts = {}]) => {
    const [method, path] = line.split(' ') as [string, string];
    return { access, ...facts, method: method.toLowerCase() as Method, path, summary, tag };
  });
}
