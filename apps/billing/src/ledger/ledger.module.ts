import { Module } from '@nestjs/common';
import { EntryStore } from './entry.store.js';
import { LedgerAuditHandler } from './ledger-audit.handler.js';
import { LedgerAuditStore } from './ledger-audit.store.js';
import { EntriesController } from './entries.controller.js';
import { StatementStore } from './statement.store.js';

/** Entries of accounts and the audit of them. */
@Module({
  controllers: [EntriesController],
  providers: [EntryStore, StatementStore, LedgerAuditHandler, LedgerAuditStore],
  exports: [LedgerAuditHandler],
})
export class LedgerModule {}
