import { Inject, Injectable } from '@nestjs/common';
import type { Bus, Subscription } from '@watchword/bus';
import { BUS } from '@watchword/platform';
import { Emails } from './emails/emails.js';
import { MessageChanges } from './messages/message-changes.handler.js';
import { consumeDeliveryReports } from './receipts/delivery-report.consumer.js';
import { DeliveryReportHandler } from './receipts/delivery-report.handler.js';
import { consumeInboundMessages } from './registrations/do-not-disturb/inbound.consumer.js';
import { InboundHandler } from './registrations/do-not-disturb/inbound.handler.js';
import { consumeSendCommands } from './sending/send-message.consumer.js';
import { consumeCreditEvents } from './settlement/credit-event.consumer.js';
import { consumeAccountEvents } from './suspensions/account-event.consumer.js';
import { HoldCommandsHandler } from './suspensions/hold-commands.handler.js';
import { SuspensionStore } from './suspensions/suspension.store.js';

/** What dispatch reads from the bus. */
@Injectable()
export class Consumers {
  private subscriptions: Subscription[] = [];

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly commands: HoldCommandsHandler,
    private readonly suspensions: SuspensionStore,
    private readonly reports: DeliveryReportHandler,
    private readonly inbound: InboundHandler,
    private readonly changes: MessageChanges,
    private readonly emails: Emails,
  ) {}

  async start(): Promise<void> {
    const { bus } = this;
    this.subscriptions = await Promise.all([
      consumeSendCommands(bus, this.commands),
      consumeAccountEvents(bus, this.suspensions),
      consumeDeliveryReports(bus, this.reports),
      consumeInboundMessages(bus, this.inbound),
      consumeCreditEvents(bus, this.changes, this.emails),
      this.emails.consume(bus),
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
  }
}
