import { type SigningKeys, signingKey } from '../payloads/signature.policy.js';
import type { Endpoint } from './endpoint.js';
import type { EndpointStore } from './endpoint.store.js';

/** An endpoint made ready for sending: parsed, its keys decoded. */
export interface Receiver {
  readonly endpointId: string;
  readonly version: number;
  readonly url: URL;
  readonly keys: SigningKeys;
}

/** Bounds memory; a receiver that is needed again costs one look-up. */
const RECEIVERS_MAX = 4_096;

/**
 * Receivers by endpoint. A copy is good as long as its version is the one that the delivery was handed out
 * with, so a change of address or secret needs no message to anybody.
 */
export class ReceiverCache {
  private readonly receivers = new Map<string, Receiver>();

  constructor(private readonly endpoints: Pick<EndpointStore, 'findMany'>) {}

  /** Loads what is missing or older than wanted. Deleted endpoints stay missing. */
  async prepare(wanted: ReadonlyMap<string, number>): Promise<void> {
    const stale = [...wanted].filter(
      ([id, version]) => (this.receivers.get(id)?.version ?? -1) < version,
    );
    if (stale.length === 0) return;
    const found = await this.endpoints.findMany(stale.map(([id]) => id));
    for (const [id] of stale) this.receivers.delete(id);
    for (const endpoint of found) this.receivers.set(endpoint.id, toReceiver(endpoint));
    this.evict();
  }

  get(endpointId: string): Receiver | undefined {
    return this.receivers.get(endpointId);
  }

  private evict(): void {
    for (const id of this.receivers.keys()) {
      if (this.receivers.size <= RECEIVERS_MAX) return;
      this.receivers.delete(id);
    }
  }
}

function toReceiver(endpoint: Endpoint): Receiver {
  const { id, version, url, secret, previousSecret, previousExpiresAt } = endpoint;
  const previous =
    previousSecret !== null && previousExpiresAt !== null
      ? { ...signingKey(previousSecret), expiresAtMs: previousExpiresAt.getTime() }
      : null;
  return {
    endpointId: id,
    version,
    url: new URL(url),
    keys: { current: signingKey(secret), previous },
  };
}
