import { LedgerQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson, tellRemaining } from '../../edge/request/request-context.js';
import { compileQuery } from '../../edge/pipes/validation.policy.js';
import { prefersCsv } from '../../billing/ledger-csv.policy.js';
import type { LedgerHandler } from '../../billing/ledger.handler.js';

const readLedgerQuery = compileQuery(LedgerQuery);

/** A page as JSON, or all of it as CSV: the same for API keys and for the dashboard. */
export async function answerLedger(
  request: FastifyRequest,
  reply: FastifyReply,
  ledger: LedgerHandler,
  workspaceId: string,
): Promise<void> {
  const query = readLedgerQuery(request.query);
  reply.header('vary', 'accept');
  if (!prefersCsv(request.headers.accept)) {
    sendJson(request, reply, 200, JSON.stringify(await ledger.page(workspaceId, query)));
    return;
  }
  const csv = await ledger.csv(workspaceId, query);
  tellRemaining(request, reply);
  reply
    .code(200)
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="ledger.csv"')
    .send(csv);
}
