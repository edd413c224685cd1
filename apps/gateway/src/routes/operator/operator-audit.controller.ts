import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { OperatorAuditQuery, readPage } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { operatorAuditAnswer } from '../../accounts/audit/audit-answer.js';
import { AuditStore } from '../../accounts/audit/audit.store.js';
import { compileQuery } from '../../edge/pipes/validation.policy.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readAuditQuery = compileQuery(OperatorAuditQuery);

/** The audit of the whole platform. */
@Controller('operator/v1/audit')
export class OperatorAuditController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(AuditStore) private readonly audit: AuditStore,
  ) {}

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { workspace_id: workspaceId = null, ...page } = readAuditQuery(request.query);
      const read = (limit: number, beforeId: string | null) =>
        this.audit.list(workspaceId, limit, beforeId);
      return { body: await readPage(page, read, (rows) => rows.map(operatorAuditAnswer)) };
    });
  }
}
