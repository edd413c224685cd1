import { Module } from '@nestjs/common';
import { EntryStore } from './entry.store.js';
import { LedgerAudit } from './ledger-audit.js';
import { LedgerAuditStore } from './ledger-audit.store.js';
import { LedgerRpc } from './ledger.rpc.js';

/** Entries of accounts and the audit of them. */
@Module({
  controllers: [LedgerRpc],
  providers: [EntryStore, LedgerAudit, LedgerAuditStore],
  exports: [LedgerAudit],
})
export class LedgerModule {}
