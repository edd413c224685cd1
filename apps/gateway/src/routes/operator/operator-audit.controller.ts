import { Controller, Inject } from '@nestjs/common';
import { type OperatorAuditQuery, type Outcome, readPage, routes } from '@watchword/contracts';
import { operatorAuditAnswer } from '../../accounts/audit/audit-answer.js';
import { AuditStore } from '../../accounts/audit/audit.store.js';
import { Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** The audit of the whole platform. */
@Controller()
export class OperatorAuditController {
  constructor(@Inject(AuditStore) private readonly audit: AuditStore) {}

  @Operation(routes.listPlatformAudit)
  async list(@Query() query: OperatorAuditQuery): Promise<Outcome> {
    const { workspace_id: workspaceId = null, ...page } = query;
    const read = (limit: number, beforeId: string | null) =>
      this.audit.list(workspaceId, limit, beforeId);
    return {
      body: await readPage('platform-audit', page, read, (rows) => rows.map(operatorAuditAnswer)),
    };
  }
}
