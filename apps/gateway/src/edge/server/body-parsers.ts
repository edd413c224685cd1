import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { type BodyBounds, bodyBoundsOf } from './body-bounds.policy.js';
import { decode, parseJsonBody } from './json-body.policy.js';

type Done = (error: Error | null, body?: unknown) => void;

/** Set with Nest's `@RouteConfig` on routes that take the body as the text it came as. */
export interface RawBodyRoute {
  rawBodyBytesMax?: number;
}

interface BoundedRoute extends RawBodyRoute {
  bodyBounds?: BodyBounds;
}

/** Gives a route that is being registered its bounds; Fastify refuses more bytes while it reads. */
export function boundBody(route: RouteOptions): void {
  const config = (route.config ?? {}) as BoundedRoute;
  const bodyBounds = bodyBoundsOf(route.url);
  route.bodyLimit = config.rawBodyBytesMax ?? bodyBounds.bytesMax;
  route.config = { ...config, bodyBounds } as NonNullable<RouteOptions['config']>;
}

/** JSON for everybody; forms and raw text only for routes that ask for them. */
export function registerBodyParsers(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  instance.addContentTypeParser('application/json', options, parseJson);
  instance.addContentTypeParser('application/x-www-form-urlencoded', options, parseForm);
}

function parseJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(done, () => readRaw(request, bytes) ?? parsedUnlessEmpty(request, bytes));
}

function parseForm(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(done, () => {
    const text = readRaw(request, bytes);
    if (text === undefined && bytes.length > 0) throw unsupported();
    return text;
  });
}

/**
 * No bytes are no body, also with a Content-Type: many clients send one with each request. Where a body is
 * required, its validator refuses the request.
 */
function parsedUnlessEmpty(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { bodyBounds } = request.routeOptions.config as BoundedRoute;
  return parseJsonBody(bytes, (bodyBounds ?? bodyBoundsOf(request.url)).valuesMax);
}

function readRaw(request: FastifyRequest, bytes: Buffer): string | undefined {
  const { rawBodyBytesMax } = request.routeOptions.config as BoundedRoute;
  return rawBodyBytesMax === undefined ? undefined : decode(bytes);
}

function unsupported(): ApiError {
  return new ApiError('validation_error', {
    status: 415,
    message: ERROR_MESSAGES.unsupportedType,
  });
}

function finish(done: Done, parse: () => unknown): void {
  let body: unknown;
  try {
    body = parse();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}
