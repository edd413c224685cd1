import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { operationOf, sessionOf } from '../request/request-context.js';

/** The last checks before a controller's method: the role of the member, and the query. */
export function admit(request: FastifyRequest): void {
  const { route, checkQuery } = operationOf(request);
  if (route.role !== undefined && sessionOf(request).member.role !== route.role) {
    throw new ApiError('permission_error', { message: ERROR_MESSAGES.ownersOnly });
  }
  checkQuery(request.query);
}
