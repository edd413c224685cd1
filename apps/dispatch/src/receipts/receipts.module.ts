import { Module, type Provider } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { SendingModule } from '../sending/sending.module.js';
import { AwaitingReceiptsStore } from './awaiting-receipts.store.js';
import { ConnectionReports } from './connection-reports.js';
import { DeliveryReportConsumer } from './delivery-report.consumer.js';
import { DeliveryReportHandler } from './delivery-report.handler.js';
import { OpenSubmitStore } from './open-submit.store.js';
import { ParkedReportStore } from './parked-report.store.js';
import { SimulatedReceiptStore } from './simulated-receipt.store.js';
import { SimulatedReceipts } from './simulated-receipts.js';
import { UnmatchedReports } from './unmatched-reports.js';

const providers: Provider[] = [
  ParkedReportStore,
  OpenSubmitStore,
  UnmatchedReports,
  DeliveryReportHandler,
  SimulatedReceiptStore,
  SimulatedReceipts,
  ConnectionReports,
  AwaitingReceiptsStore,
];

/** Carriers' reports, matched to messages and applied. */
@Module({
  controllers: [DeliveryReportConsumer],
  imports: [MessagesModule, RoutingModule, SendingModule],
  providers,
  exports: providers,
})
export class ReceiptsModule {}
