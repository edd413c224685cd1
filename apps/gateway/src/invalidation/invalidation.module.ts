import { Module } from '@nestjs/common';
import { GatewayLease } from './gateway-lease.js';

/** What keeps the memories of all gateways in step. */
@Module({ providers: [GatewayLease], exports: [GatewayLease] })
export class InvalidationModule {}
