import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { AuditedCalls } from './audit.interceptor.js';
import { sendOutcome } from '../request/request-context.js';

/** Every operator call goes through here: it is on record before it does anything. */
export class OperatorEdge {
  constructor(private readonly calls: AuditedCalls) {}

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    work: () => Promise<Outcome>,
  ): Promise<void> {
    const { body } = await this.calls.run(request, { kind: 'operator' }, status, work);
    sendOutcome(request, reply, status, body);
  }
}
