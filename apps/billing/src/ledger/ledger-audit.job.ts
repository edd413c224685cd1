import type { Clock } from '@watchword/contracts';
import { gauge, type Logger } from '@watchword/observability';
import type { LedgerAuditHandler } from './ledger-audit.handler.js';

const showFaults = gauge(
  'watchword_ledger_faults',
  'Accounts and entries that are wrong, at the last audit (soon after the start, then hourly). Nothing is shown while no audit has succeeded.',
);
const showAudited = gauge(
  'watchword_ledger_audited_timestamp_seconds',
  'When the last audit of the ledger ended, as a Unix time. Nothing is shown before the first one.',
);
// A ledger that was never audited must not look right.
showFaults.forget();
showAudited.forget();

/** Reports a fault as an alarm. Nothing repairs a ledger automatically. */
export async function reportLedgerFaults(
  audit: Pick<LedgerAuditHandler, 'handle'>,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const faults = await audit.handle();
  showFaults({}, faults.length);
  showAudited({}, Math.floor(clock.now() / 1_000));
  for (const fault of faults) logger.error(fault, 'the ledger is wrong');
}
