import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { CarrierChoicesStore } from './carrier-choices.store.js';
import { CarriersController } from './carriers.controller.js';
import { CarrierControls } from './carrier-controls.js';
import { UnmatchedReportsStore } from './unmatched-reports.store.js';

/** Operators' decisions about the carrier accounts of all channels. */
@Module({
  imports: [EmailsModule, RoutingModule],
  controllers: [CarriersController],
  providers: [CarrierChoicesStore, CarrierControls, UnmatchedReportsStore],
  exports: [CarrierControls],
})
export class CarrierControlsModule {}
