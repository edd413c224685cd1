import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersCsv } from '../../billing/ledger-csv.policy.js';
import type { LedgerReading } from '../../billing/ledger.handler.js';
import { sendOutcome, tellRemaining } from '../../edge/request/request-context.js';

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
  tellRemaining(request, reply);
  reply
    .code(200)
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="ledger.csv"')
    .send(csv);
}
