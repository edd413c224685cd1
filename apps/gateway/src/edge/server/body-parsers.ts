import type { Route } from '@watchword/contracts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { compressedBody, unsupportedType } from '../filters/error-envelope.policy.js';
import { operationOf } from '../request/request-context.js';
import { decode, parseJsonBody } from './json-body.policy.js';

type Done = (error: Error | null, body?: unknown) => void;

/** Bounds the bytes of a body. Fastify refuses more while it reads. */
export function boundBody(registered: RouteOptions, route: Route): void {
  registered.bodyLimit = route.rawBodyBytesMax ?? route.bodyBounds.bytesMax;
}

/**
 * Registers JSON for every route; forms, CSV and plain text only for routes that take the body as
 * text.
 */
export function registerBodyParsers(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  instance.addContentTypeParser('application/json', options, parseJson);
  // One-click unsubscribe comes in either form (RFC 8058).
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const asText = [...forms, 'text/csv', 'text/plain'];
  instance.addContentTypeParser(asText, options, parseText);
  // Some mail programs send one-click unsubscribes without a type, or with another one.
  instance.addContentTypeParser('*', options, parseText);
}

function parseJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(request, done, () => readRaw(request, bytes) ?? parsedUnlessEmpty(request, bytes));
}

function parseText(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(request, done, () => {
    const text = readRaw(request, bytes);
    if (text === undefined && bytes.length > 0) throw unsupportedType();
    return text;
  });
}

/**
 * Treats zero bytes as no body, even with a Content-Type, which many clients send with each
 * request. Where a body is required, its validator refuses the request.
 */
function parsedUnlessEmpty(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { bodyBounds, limits } = operationOf(request).route;
  return parseJsonBody(bytes, bodyBounds.valuesMax, limits.inBand ? withoutArguments : undefined);
}

/** Leaves out the arguments of a tool, whose refusal is a part of a 200. The controller checks them. */
function withoutArguments(body: unknown): unknown {
  const { params } = Object(body) as { params?: unknown };
  if (typeof params !== 'object' || params === null) return body;
  return { ...(body as object), params: { ...params, arguments: undefined } };
}

function readRaw(request: FastifyRequest, bytes: Buffer): string | undefined {
  const { rawBodyBytesMax, rawBodyTypes } = operationOf(request).route;
  if (rawBodyBytesMax === undefined) return undefined;
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (rawBodyTypes && !rawBodyTypes.includes(type.trim().toLowerCase())) {
    throw unsupportedType(rawBodyTypes);
  }
  return decode(bytes);
}

function finish({ headers }: FastifyRequest, done: Done, parse: () => unknown): void {
  let body: unknown;
  try {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw compressedBody();
    body = parse();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}
