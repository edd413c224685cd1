import { ROUTES } from '@watchword/contracts';
import { openCounter } from '@watchword/observability';
import type { FastifyInstance } from 'fastify';

const count = openCounter(
  'watchword_requests_total',
  'Requests that were answered, by route and status; `other` is no route.',
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
    count({ route, status: String(reply.statusCode) });
    done();
  });
}
