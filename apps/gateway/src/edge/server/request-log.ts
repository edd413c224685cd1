import type { RequestLogMode } from '@watchword/config';
import { firstSegment } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf, errorTypeOf, maybeSessionOf } from '../request/request-context.js';
import { routesBeside } from './route-entry.js';

/** Milliseconds. Slower requests are logged like failed ones. */
const SLOW_MS = 1_000;
const PATH_LENGTH_MAX = 100;

/** A connection that was refused before it had a request. */
export interface RefusedConnection {
  requestId: string;
  status: number;
  type: string;
}

/**
 * Logs one line per request, after its answer. `all` costs about 10 microseconds of CPU per
 * request; `failed` logs refused, failed and slow requests only.
 */
export function logRequests(
  instance: FastifyInstance,
  logger: Logger,
  mode: RequestLogMode,
): (refused: RefusedConnection) => void {
  if (mode === 'off' || !logger.isLevelEnabled('info')) return () => undefined;
  // The fields are known and none is secret. A search for secrets would double the cost.
  const lines = logger.child({}, { redact: [] });
  instance.addHook('onResponse', (request, reply, done) => {
    const isRefused = reply.statusCode >= 400 || errorTypeOf(request) !== undefined;
    const isNotable = isRefused || reply.elapsedTime > SLOW_MS;
    if (mode === 'all' || isNotable) lines.info(requestFields(request, reply), 'request');
    done();
  });
  return ({ requestId, status, type }) =>
    lines.info({ status, error: type, request_id: requestId }, 'connection refused');
}

function requestFields(request: FastifyRequest, reply: FastifyReply) {
  const caller = contextOf(request)?.caller;
  return {
    method: request.method,
    route: request.is404 ? unknownPath(request.originalUrl) : request.routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    error: errorTypeOf(request),
    workspace_id: caller?.workspace.id ?? maybeSessionOf(request)?.member.workspaceId,
    // Empty for a session, which has no key.
    key_last4: caller?.last4 || undefined,
    request_id: request.id,
  };
}

/**
 * Returns the path without its query. Where the path itself admits, as below `/callbacks`, an
 * unknown one may contain a secret.
 */
function unknownPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const mayHaveSecret = routesBeside(path).some(
    ({ access, path: known }) => access === 'anybody' && known.includes(':'),
  );
  return mayHaveSecret ? `/${firstSegment(path)}/` : path.slice(0, PATH_LENGTH_MAX);
}
