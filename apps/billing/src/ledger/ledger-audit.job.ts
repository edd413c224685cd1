import { gauge, type Logger } from '@watchword/observability';
import type { LedgerAuditStore, LedgerFault } from './ledger-audit.store.js';

const ACCOUNTS_PER_SLICE = 100;

const showFaults = gauge(
  'watchword_ledger_faults',
  'Accounts whose balance differs from their entries, at the last audit (soon after the start, then hourly).',
);

/** Checks the whole ledger, slice by slice. Every finding is a fault. */
export async function auditLedger(
  store: Pick<LedgerAuditStore, 'audit'>,
  accountsPerSlice = ACCOUNTS_PER_SLICE,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  let next: string | null = null;
  do {
    const slice = await store.audit(next, accountsPerSlice);
    faults.push(...slice.faults);
    next = slice.next;
  } while (next !== null);
  return faults;
}

/** Reports a fault as an alarm. Nothing repairs a ledger automatically. */
export async function reportLedgerFaults(
  store: Pick<LedgerAuditStore, 'audit'>,
  logger: Logger,
): Promise<void> {
  const faults = await auditLedger(store);
  showFaults({}, faults.length);
  for (const fault of faults) logger.error(fault, 'the ledger is wrong');
}
