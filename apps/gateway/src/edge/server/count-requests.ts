import { ROUTES } from '@watchword/contracts';
import { openCounter } from '@watchword/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../request/request-context.js';

const count = openCounter(
  'watchword_requests_total',
  'Requests that were answered, by route and status; `other` is no route, `500 test` a 500 to a test key.',
  ['route', 'status'],
);

/**
 * Statuses of routes that change something, shown as 0 first, so that an alarm sees the first
 * failure as a rise.
 */
const FAILURES = ['500', '503'];

/** Counts each request after its answer. */
export function countRequests(instance: FastifyInstance): void {
  for (const { method, path, guard, idempotent = false } of ROUTES) {
    if (guard !== 'key' || !idempotent) continue;
    for (const status of FAILURES) count.expect({ route: `${method} ${path}`, status });
  }
  instance.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    const route = request.is404 || url === undefined ? 'other' : `${request.method} ${url}`;
    count({ route, status: statusOf(request, reply) });
    done();
  });
}

/**
 * Magic numbers request a 5xx. One to a test key has a separate name, so that no alarm counts it.
 */
function statusOf(request: FastifyRequest, { statusCode }: FastifyReply): string {
  const isTest = contextOf(request)?.caller?.mode === 'test';
  return statusCode >= 500 && isTest ? `${statusCode} test` : String(statusCode);
}
