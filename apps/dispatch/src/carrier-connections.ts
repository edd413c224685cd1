import { Inject, Injectable } from '@nestjs/common';
import { Emails } from './emails/emails.js';
import { MessageStore } from './messages/message.store.js';
import { SimulatedReceiptStore } from './receipts/simulated-receipt.store.js';
import { SimulatedReceipts } from './receipts/simulated-receipts.js';
import { CARRIERS, type Carriers } from './routing/configured-providers.js';

/**
 * Starts and stops carrier accounts, and passes on reports that arrive on their own connections.
 */
@Injectable()
export class CarrierConnections {
  constructor(
    @Inject(CARRIERS) private readonly carriers: Carriers,
    private readonly simulated: SimulatedReceipts,
    private readonly owed: SimulatedReceiptStore,
    private readonly messages: MessageStore,
    private readonly emails: Emails,
  ) {}

  async start(): Promise<void> {
    const carriers = [...this.carriers.values()];
    await Promise.all([
      ...carriers.map((one) => one.start((reports) => this.simulated.take(one.name, reports))),
      this.emails.startProviders(),
    ]);
  }

  /** Replays what simulated carriers still owe, because they lose it with the process. */
  resume(): Promise<void> {
    return this.simulated.resume(this.owed, this.messages, this.carriers);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.carriers.values()].map((carrier) => carrier.stop()));
  }

  drain(): Promise<void> {
    return this.simulated.drain();
  }
}
