import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { MessageListQuery, PageQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditAnswer } from '../../accounts/audit/audit-answer.js';
import { AuditStore } from '../../accounts/audit/audit.store.js';
import { readPage } from '@watchword/contracts';
import { sessionOf } from '../../edge/request/request-context.js';
import { compileQuery } from '../../edge/pipes/validation.policy.js';
import { answerLedger } from '../account/ledger-answer.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';
import { ListMessagesHandler } from '../../messages/list-messages.handler.js';
import { bothModes } from '../../messages/walls.policy.js';
import { ConsoleEdge } from '../../edge/interceptors/console-edge.js';

const readMessageQuery = compileQuery(MessageListQuery);
const readPageQuery = compileQuery(PageQuery);

/** The records of a workspace: messages, ledger and audit. */
@Controller('dashboard')
export class ConsoleRecordsController {
  constructor(
    @Inject(ConsoleEdge) private readonly edge: ConsoleEdge,
    @Inject(ListMessagesHandler) private readonly messages: ListMessagesHandler,
    @Inject(LedgerHandler) private readonly ledger: LedgerHandler,
    @Inject(AuditStore) private readonly audit: AuditStore,
  ) {}

  @Get('messages')
  listMessages(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async ({ workspaceId }) => ({
      body: await this.messages.all(bothModes(workspaceId), readMessageQuery(request.query)),
    }));
  }

  @Get('ledger')
  listEntries(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store');
    const { workspaceId } = sessionOf(request).member;
    return answerLedger(request, reply, this.ledger, workspaceId);
  }

  @Get('audit')
  listAudit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async ({ workspaceId }) => {
      const read = (limit: number, beforeId: string | null) =>
        this.audit.list(workspaceId, limit, beforeId);
      const query = readPageQuery(request.query);
      return { body: await readPage(query, read, (rows) => rows.map(auditAnswer)) };
    });
  }
}
