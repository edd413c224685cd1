import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  type LedgerQuery,
  type Outcome,
  type PageQuery,
  readPage,
  routes,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditAnswer } from '../../accounts/audit/audit-answer.js';
import { AuditStore } from '../../accounts/audit/audit.store.js';
import type { Member as Person } from '../../people/account.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';
import { Member, Month, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { answerLedger, answerStatement } from '../account/ledger-answer.js';

/** The ledger and the audit of a workspace. */
@Controller()
export class ConsoleRecordsController {
  constructor(
    @Inject(LedgerHandler) private readonly ledger: LedgerHandler,
    @Inject(AuditStore) private readonly audit: AuditStore,
  ) {}

  @Operation(routes.listOwnLedgerEntries)
  listEntries(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Member() { workspaceId }: Person,
    @Query() query: LedgerQuery,
  ): Promise<void> {
    reply.header('cache-control', 'no-store');
    return answerLedger(request, reply, this.ledger.of(workspaceId, query));
  }

  @Operation(routes.getOwnStatement)
  async statement(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Member() { workspaceId }: Person,
    @Month() month: string,
  ): Promise<void> {
    reply.header('cache-control', 'no-store');
    answerStatement(request, reply, await this.ledger.statement(workspaceId, month));
  }

  @Operation(routes.listAuditRecords)
  async listAudit(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    const read = (limit: number, beforeId: string | null) =>
      this.audit.list(workspaceId, limit, beforeId);
    return { body: await readPage('audit', query, read, (rows) => rows.map(auditAnswer)) };
  }
}
