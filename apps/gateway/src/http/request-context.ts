import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/key-directory.port.js';

/** What the gates found out about a request before its handler runs. */
export interface RequestContext {
  /** Whose key it is; undefined where no key is asked for, or none was given. */
  caller: Caller | undefined;
  /** What is left for the key and the workspace this minute; null is no limit. */
  remaining: number | null;
}

const contexts = Symbol('context');

interface Carrier {
  [contexts]?: RequestContext;
}

export function setContext(request: FastifyRequest, context: RequestContext): void {
  (request as Carrier)[contexts] = context;
}

export function contextOf(request: FastifyRequest): RequestContext | undefined {
  return (request as Carrier)[contexts];
}

/** The caller of a route that only callers reach. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = contextOf(request)?.caller;
  if (!caller) throw new Error(`${request.method} ${request.url} was reached without a key`);
  return caller;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends JSON text. Every successful answer to a key says what it has left. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string,
): void {
  const remaining = contextOf(request)?.remaining;
  if (typeof remaining === 'number') reply.header('x-ratelimit-remaining', remaining);
  reply.code(status).header('content-type', JSON_TYPE).send(body);
}
