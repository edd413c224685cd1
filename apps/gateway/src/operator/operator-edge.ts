import { ApiError } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFor } from '../http/error-envelope.policy.js';
import { sendJson } from '../http/request-context.js';
import { clientIp } from '../limits/client-ip.js';
import type { OperatorAuditStore } from './operator-audit.store.js';

/** What a call did: kept in the audit. No key and no secret may be in it. */
export type Effect = Record<string, unknown>;

export interface OperatorAnswer {
  /** Left out for an empty answer. */
  body?: unknown;
  effect?: Effect;
}

/** Every operator call goes through here: it is on record before it does anything. */
export class OperatorEdge {
  constructor(
    private readonly audit: OperatorAuditStore,
    private readonly logger: Logger,
    private readonly trustedProxies: number,
  ) {}

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    work: () => Promise<OperatorAnswer>,
  ): Promise<void> {
    const record = await this.audit.begin(this.callOf(request));
    try {
      const { body, effect } = await work();
      await this.complete(record, status, effect);
      if (body === undefined) reply.code(status).send();
      else sendJson(request, reply, status, JSON.stringify(body));
    } catch (error) {
      const type = error instanceof ApiError ? error.type : 'internal_error';
      await this.complete(record, answerFor(error, request.id).status, { refused: type });
      throw error;
    }
  }

  /**
   * What was done is done: that its outcome could not be noted must not look like a failure of it.
   */
  private async complete(record: string, status: number, effect?: Effect): Promise<void> {
    await this.audit.complete(record, status, effect).catch((error: unknown) => {
      this.logger.error(
        { record, status, effect, err: error },
        'an operator call was not completed',
      );
    });
  }

  private callOf(request: FastifyRequest) {
    const { socket, headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    return {
      requestId: request.id,
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      clientIp: clientIp(socket.remoteAddress, forwarded, this.trustedProxies),
    };
  }
}
