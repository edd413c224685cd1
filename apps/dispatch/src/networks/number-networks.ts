import { Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import type { DeliveryReport } from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';
import {
  type Addressed,
  type StoredNetwork,
  type NetworkUpdate,
  networkUpdateOf,
} from './network-update.policy.js';
import { NumberNetworkStore } from './number-network.store.js';

const BATCH_SIZE_MAX = 256;
/** About 15 MB. The networks beyond it are kept, but an agreeing report may not end them. */
const REMEMBERED_MAX = 100_000;
/** Milliseconds that a row can take to be seen after its report. */
const SEEN_AFTER_MS = 600_000;

/**
 * Learns the networks of ported numbers from delivery reports. This process remembers what is kept,
 * so a report asks the database nothing, and writes only where it says something new.
 */
@Injectable()
export class NumberNetworks {
  private readonly kept = new BoundedMap<string, StoredNetwork>(REMEMBERED_MAX);
  private knownSinceMs = 0;
  private readonly writer = new MicroBatcher<NetworkUpdate, void>({
    name: 'dispatch.learned-networks',
    flush: async (networkUpdates) => {
      await this.write(networkUpdates);
      return networkUpdates.map(() => undefined);
    },
    sizeMax: BATCH_SIZE_MAX,
    // Reports bound it: a batch of them waits here, one of parked reports, and one for each open call.
    queueMax: Number.POSITIVE_INFINITY,
  });

  constructor(private readonly store: NumberNetworkStore) {}

  /** Returns undefined where there is nothing to write. */
  learn(message: Addressed, report: DeliveryReport): Promise<void> | undefined {
    const networkUpdate = networkUpdateOf(message, report, this.kept.get(message.destination));
    return networkUpdate === null ? undefined : this.writer.submit(networkUpdate);
  }

  /** Deletes networks after their time, and remembers those that other processes learned. */
  async refresh(now: Date): Promise<void> {
    const found = await this.store.refresh(now, new Date(this.knownSinceMs), REMEMBERED_MAX / 2);
    this.knownSinceMs = now.getTime() - SEEN_AFTER_MS;
    for (const { destination, ...kept } of found) this.kept.set(destination, kept);
  }

  private async write(networkUpdates: readonly NetworkUpdate[]): Promise<void> {
    const inOrder = networkUpdates.toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const last = new Map(
      inOrder.map((networkUpdate) => [networkUpdate.destination, networkUpdate]),
    );
    await this.store.write([...last.values()]);
    for (const { destination, network, at } of last.values()) {
      if (network === null) this.kept.delete(destination);
      else this.kept.set(destination, { network, learnedAt: at });
    }
  }
}
