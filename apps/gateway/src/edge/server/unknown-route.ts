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

/** Answers requests without a route: 404, or 405 where another method has one. */
export class UnknownRoute {
  constructor(
    private readonly routes: RouteTable,
    private readonly gates: Guards,
  ) {}

  /** Counts like any call and asks for the same credentials, so probing tells nothing. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { callers, operators, sessions } = this.gates;
    const path = request.url.split('?', 1)[0] ?? '';
    if (path.startsWith('/v1/')) {
      const refusal = await callers.enter(request, { path, keyOptional: true });
      if (refusal) throw refusal;
    }
    if (path.startsWith('/dashboard/')) await sessions.count(request);
    if (path.startsWith('/auth/')) await sessions.enterAuth(request);
    if (isBelow('/operator', path)) await operators.enter(request);
    const allow = this.routes.allowed(path);
    if (allow.length === 0) throw new ApiError('not_found');
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(allow);
    return reply.code(204).header('allow', allow.join(', ')).send();
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
