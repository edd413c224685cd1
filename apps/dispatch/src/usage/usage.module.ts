import { Module } from '@nestjs/common';
import { UsageJob } from './usage.job.js';
import { UsageRpc } from './usage.rpc.js';
import { UsageStore } from './usage.store.js';

/** Counts what workspaces sent, by the hour. */
@Module({
  controllers: [UsageRpc],
  providers: [UsageStore, UsageJob],
  exports: [UsageJob],
})
export class UsageModule {}
