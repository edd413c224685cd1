import { Module } from '@nestjs/common';
import { UsageJob } from './usage.job.js';
import { OverviewController } from './overview.controller.js';
import { UsageStore } from './usage.store.js';

/** Counts what workspaces sent, by the hour. */
@Module({
  controllers: [OverviewController],
  providers: [UsageStore, UsageJob],
  exports: [UsageJob],
})
export class UsageModule {}
