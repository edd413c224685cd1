import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { CreditEventConsumer } from './credit-event.consumer.js';

/** Refunds that are in the ledger. */
@Module({ imports: [EmailsModule, MessagesModule], controllers: [CreditEventConsumer] })
export class SettlementModule {}
