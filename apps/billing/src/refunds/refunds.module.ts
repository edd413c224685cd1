import { Module } from '@nestjs/common';
import { RefundConsumer } from './refund.consumer.js';
import { RefundHandler } from './refund.handler.js';
import { RefundStore } from './refund.store.js';

/** Refunds of charges. */
@Module({ controllers: [RefundConsumer], providers: [RefundStore, RefundHandler] })
export class RefundsModule {}
