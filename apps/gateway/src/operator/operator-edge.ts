import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditedCalls, Outcome } from '../audit/audited-calls.js';
import { sendOutcome } from '../http/request-context.js';

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
