import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { CarriersRpc } from './carriers.rpc.js';
import { CarrierControls } from './carrier-controls.js';
import { UnmatchedReportsStore } from './unmatched-reports.store.js';

/** Operators' decisions about the carrier accounts of all channels. */
@Module({
  imports: [EmailsModule, RoutingModule],
  controllers: [CarriersRpc],
  providers: [CarrierChoicesStore, CarrierControls, UnmatchedReportsStore],
  exports: [CarrierControls],
})
export class CarrierControlsModule {}
