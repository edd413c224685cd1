import { isUtf8 } from 'node:buffer';
import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJsonBody } from './json-body.policy.js';

type Done = (error: Error | null, body?: unknown) => void;

/** Set with Nest's `@RouteConfig` on routes that take the body as the text it came as. */
export interface RawBodyRoute {
  rawBodyBytesMax?: number;
}

/** JSON for everybody; forms and raw text only for routes that ask for them. */
export function registerBodyParsers(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  instance.addContentTypeParser('application/json', options, parseJson);
  instance.addContentTypeParser('application/x-www-form-urlencoded', options, parseForm);
}

function parseJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(done, () => readRaw(request, bytes) ?? parsedUnlessEmpty(bytes));
}

function parseForm(request: FastifyRequest, bytes: Buffer, done: Done): void {
  finish(done, () => {
    const text = readRaw(request, bytes);
    if (text === undefined && bytes.length > 0) throw unsupported();
    return text;
  });
}

/**
 * No bytes are no body, whatever type they are said to be: many clients name a type on each request. Where a
 * body is needed, its validator says that there is none.
 */
function parsedUnlessEmpty(bytes: Buffer): unknown {
  return bytes.length === 0 ? undefined : parseJsonBody(decode(bytes));
}

function readRaw(request: FastifyRequest, bytes: Buffer): string | undefined {
  const { rawBodyBytesMax } = request.routeOptions.config as RawBodyRoute;
  if (rawBodyBytesMax === undefined) return undefined;
  if (bytes.length > rawBodyBytesMax) {
    throw new ApiError('validation_error', { status: 413, message: ERROR_MESSAGES.bodyTooLarge });
  }
  return decode(bytes);
}

/** Decoding would put replacement characters where the bytes are wrong, and nobody would notice. */
function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new ApiError('validation_error', { message: ERROR_MESSAGES.bodyNotUtf8 });
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
