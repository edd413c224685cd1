import type { Readable } from 'node:stream';
import type { Statement } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersCsv, statementCsv } from '../../billing/ledger-csv.policy.js';
import type { LedgerReading } from '../../billing/ledger.handler.js';
import { sendOutcome, addRemaining } from '../../edge/request/request-context.js';

/** Answers a page as JSON, or the whole ledger as CSV, for API keys and the console. */
export async function answerLedger(
  request: FastifyRequest,
  reply: FastifyReply,
  ledger: LedgerReading,
): Promise<void> {
  reply.header('vary', 'accept');
  if (!prefersCsv(request.headers.accept)) {
    sendOutcome(reply, { body: await ledger.page() });
    return;
  }
  const csv = await ledger.csv();
  addRemaining(request, reply);
  sendCsv(reply, 'ledger', csv);
}

/** Answers a statement as JSON or CSV. */
export function answerStatement(
  request: FastifyRequest,
  reply: FastifyReply,
  statement: Statement,
): void {
  reply.header('vary', 'accept');
  if (!prefersCsv(request.headers.accept)) sendOutcome(reply, { body: statement });
  else sendCsv(reply, `statement-${statement.month}`, statementCsv(statement));
}

function sendCsv(reply: FastifyReply, name: string, csv: Readable | string): void {
  reply
    .code(200)
    .header('cache-control', 'no-store')
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(csv);
}
