import { Module } from '@nestjs/common';
import { PlanStore } from './plan.store.js';
import { PlansController } from './plans.controller.js';

/** Monthly quotas of workspaces. */
@Module({ controllers: [PlansController], providers: [PlanStore], exports: [PlanStore] })
export class PlansModule {}
