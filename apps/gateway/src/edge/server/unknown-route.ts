import { ApiError } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteTable } from './allowed-methods.policy.js';
import type { KeyGuard } from '../guards/key.guard.js';
import { MethodNotAllowed } from '../filters/error-envelope.policy.js';
import type { OperatorGuard } from '../guards/operator.guard.js';
import type { SessionGuard } from '../guards/session.guard.js';

export interface Guards {
  callers: KeyGuard;
  operators: OperatorGuard;
  sessions: SessionGuard;
}

/** What has no route: 404, or 405 where another method has one. OPTIONS asks which ones. */
export class UnknownRoute {
  constructor(
    private readonly routes: RouteTable,
    private readonly gates: Guards,
  ) {}

  /** Counts against the caller or the client like any call, so that nobody probes for free. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { callers, operators, sessions } = this.gates;
    const path = request.url.split('?', 1)[0] ?? '';
    if (path.startsWith('/v1/')) {
      const refusal = await callers.enter(request, { path, keyOptional: true });
      if (refusal) throw refusal;
    }
    if (path.startsWith('/dashboard/')) await sessions.count(request);
    if (path.startsWith('/auth/')) await sessions.enterAuth(request);
    const isHidden = path.startsWith('/operator/') && !operators.isOpen;
    const allow = isHidden ? [] : this.routes.allowed(path);
    if (allow.length === 0) throw new ApiError('not_found');
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(allow);
    return reply.code(204).header('allow', allow.join(', ')).send();
  }
}
