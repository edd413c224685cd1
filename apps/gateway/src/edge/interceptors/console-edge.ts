import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member } from '../../accounts/people/account.js';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { AuditedCalls } from './audit.interceptor.js';
import { sendOutcome, sessionOf } from '../request/request-context.js';
import { isSafe } from '../guards/session.guard.js';

/**
 * Every dashboard call goes through here. What could change something is on record before it does;
 * looking is not.
 */
export class ConsoleEdge {
  constructor(private readonly calls: AuditedCalls) {}

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    work: (member: Member) => Promise<Outcome>,
  ): Promise<void> {
    const { member } = sessionOf(request);
    const { user, workspaceId } = member;
    const actor = { kind: 'user', userId: user.id, workspaceId } as const;
    const { body } = isSafe(request)
      ? await work(member)
      : await this.calls.run(request, actor, status, () => work(member));
    reply.header('cache-control', 'no-store');
    sendOutcome(request, reply, status, body);
  }
}

/** What a member may not do. */
export function checkOwner(member: Member): void {
  if (member.role === 'owner') return;
  throw new ApiError('permission_error', {
    message: ERROR_MESSAGES.ownersOnly,
  });
}
