import { Module } from '@nestjs/common';
import { PlanStore } from './plan.store.js';
import { PlansRpc } from './plans.rpc.js';

/** Monthly quotas of workspaces. */
@Module({ controllers: [PlansRpc], providers: [PlanStore], exports: [PlanStore] })
export class PlansModule {}
