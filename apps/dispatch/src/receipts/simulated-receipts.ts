import { Injectable } from '@nestjs/common';
import { type Provider, SimulatorAdapter } from '@watchword/carriers';
import type { Message } from '../messages/message.js';
import { MessageStore } from '../messages/message.store.js';
import { SimulatedReceiptStore } from './simulated-receipt.store.js';

/**
 * Simulated accounts have outstanding receipts in their memory and lose them with the process, so
 * these are replayed after a start.
 */
const RESUMED_MAX = 10_000;
const READ_BATCH = 500;

type Providers = ReadonlyMap<string, Provider>;

@Injectable()
export class SimulatedReceipts {
  constructor(
    private readonly owed: SimulatedReceiptStore,
    private readonly messages: MessageStore,
  ) {}

  async resume(providers: Providers): Promise<void> {
    const ids = await this.owed.awaiting(RESUMED_MAX);
    for (let start = 0; start < ids.length; start += READ_BATCH) {
      const refs = ids.slice(start, start + READ_BATCH).map((id) => ({ id }));
      const batch = await this.messages.read(refs);
      for (const message of batch.values()) this.resumeOne(message, providers);
    }
  }

  private resumeOne({ id, destination, attempts }: Message, providers: Providers): void {
    for (const { outcome, provider: name, startedAt, resend } of attempts) {
      const provider = providers.get(name);
      if (outcome !== 'accepted' || !(provider instanceof SimulatorAdapter)) continue;
      const submittedAt = startedAt.getTime();
      provider.resume({ messageId: id, resend, destination, submittedAt });
    }
  }
}
