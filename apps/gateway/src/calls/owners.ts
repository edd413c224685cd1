import {
  ApiError,
  callRoute,
  type CallsOf,
  type ErrorType,
  OPERATIONS,
  type Route,
  type RouteRequest,
} from '@watchword/contracts';
import type { Rpc } from '@watchword/rpc';

/** The services that own routes, each with its routes by operation id. */
export type Owners = {
  readonly [Service in keyof typeof OPERATIONS]: CallsOf<(typeof OPERATIONS)[Service]>;
};

/** Injection token of the services that own routes. */
export const OWNERS = Symbol('owners of routes');

export function ownersBy(rpc: Rpc): Owners {
  return {
    billing: rpc.client(OPERATIONS.billing),
    dispatch: rpc.client(OPERATIONS.dispatch),
    webhooks: rpc.client(OPERATIONS.webhooks),
  };
}

/** Calls a route for the gateway itself. Returns null where the owner refuses for `reason`. */
export async function askRoute<Body>(
  owner: Owners[keyof Owners],
  route: Route,
  request: RouteRequest,
  reason: ErrorType = 'not_found',
): Promise<Body | null> {
  try {
    return (await callRoute<Body>(owner, route, request)).body ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.type === reason) return null;
    throw error;
  }
}
