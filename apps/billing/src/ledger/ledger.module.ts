import { Module } from '@nestjs/common';
import { EntryStore } from './entry.store.js';
import { LedgerAuditHandler } from './ledger-audit.handler.js';
import { LedgerAuditStore } from './ledger-audit.store.js';
import { LedgerRpc } from './ledger.rpc.js';
import { StatementStore } from './statement.store.js';

/** Entries of accounts and the audit of them. */
@Module({
  controllers: [LedgerRpc],
  providers: [EntryStore, StatementStore, LedgerAuditHandler, LedgerAuditStore],
  exports: [LedgerAuditHandler],
})
export class LedgerModule {}
