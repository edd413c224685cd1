import { Injectable } from '@nestjs/common';
import { ClosingStore } from './closing.store.js';

/** Small enough that deliveries to other endpoints do not notice. */
const CHUNK_SIZE = 500;
const ENDPOINTS_PER_ROUND = 100;

/** Fails the deliveries of endpoints that were disabled or deleted. The next round finds the rest. */
@Injectable()
export class EndpointCloser {
  constructor(private readonly store: ClosingStore) {}

  /** Fails all of it. Call it before the endpoint is enabled, so that new deliveries are not among them. */
  async close(endpointId: string): Promise<void> {
    while ((await this.store.failPending(endpointId, CHUNK_SIZE)) === CHUNK_SIZE);
    await this.store.end(endpointId);
  }

  /** Endpoints that a process which died, or an attempt, has left to be closed. */
  async closeRest(): Promise<void> {
    for (const endpointId of await this.store.closing(ENDPOINTS_PER_ROUND)) {
      await this.close(endpointId);
    }
  }
}
