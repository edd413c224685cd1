import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MethodNotAllowed } from '../filters/error-envelope.policy.js';
import { addRemaining } from '../request/request-context.js';
import { allowedAt, type Guards, routeAt, routesBeside } from './route-entry.js';

/**
 * Answers requests without a route: 404, or 405 for a path with other methods. OPTIONS asks for
 * these.
 */
export class UnknownRoute {
  constructor(private readonly guards: Guards) {}

  /**
   * Counts like a call of the routes beside it and requires the same credentials, so that probing
   * reveals nothing.
   */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0] ?? '';
    await this.enter(request, path);
    const allow = allowedAt(path);
    if (allow.length === 0) throw noRoute(request.method, request.originalUrl);
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(allow);
    addRemaining(request, reply);
    return reply.code(204).header('allow', allow.join(', ')).send();
  }

  private async enter(request: FastifyRequest, path: string): Promise<void> {
    const { keys, operators, sessions } = this.guards;
    const beside = routesBeside(path);
    const found = new Set(beside.map(({ guard }) => guard));
    if (found.has('operator')) await operators.enter(request);
    if (found.has('auth')) await sessions.enterAuth(request);
    else if (found.has('session')) await sessions.count(request);
    if (!found.has('key')) return;
    const errorType = routeAt(path)?.limits.errorType ?? 'rate_limit_exceeded';
    const unknown = { guard: 'optional-key', limits: { errorType }, permissions: [] } as const;
    const basicAuth = beside.some((route) => route.basicAuth);
    const refusal = await keys.enter(request, { ...unknown, basicAuth });
    if (refusal) throw refusal;
  }
}

const SHOWN_MAX = 200;

export function noRoute(method: string, url: string): ApiError {
  const [path = ''] = url.split('?', 1);
  const message = ERROR_MESSAGES.noRoute(method, path.slice(0, SHOWN_MAX));
  return new ApiError('not_found', { message });
}
