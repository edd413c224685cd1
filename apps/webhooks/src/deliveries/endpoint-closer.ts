import { Injectable } from '@nestjs/common';
import type { EndpointId } from '@watchword/contracts';
import { ClosingStore } from './closing.store.js';

/** Small enough not to slow deliveries to other endpoints. */
const CHUNK_SIZE = 500;
const ENDPOINTS_PER_ROUND = 100;

/** Fails the deliveries of disabled or deleted endpoints. The next round finds the rest. */
@Injectable()
export class EndpointCloser {
  constructor(private readonly store: ClosingStore) {}

  /**
   * Fails all of them. Call it before the endpoint is enabled; afterwards it does nothing.
   */
  async close(endpointId: EndpointId): Promise<void> {
    while ((await this.store.failPending(endpointId, CHUNK_SIZE)) === CHUNK_SIZE);
    await this.store.end(endpointId);
  }

  /** Closes endpoints that a dead process, or an attempt, has left. */
  async closeRest(): Promise<void> {
    for (const endpointId of await this.store.closing(ENDPOINTS_PER_ROUND)) {
      await this.close(endpointId);
    }
  }
}
