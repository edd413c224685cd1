import { Inject, Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import type { Logger } from '@watchword/observability';
import type { EndpointId, WorkspaceId } from '@watchword/contracts';
import { LOGGER } from '@watchword/platform';
import { type SigningKeys, signingKey } from '../payloads/signature.policy.js';
import type { Endpoint } from './endpoint.js';
import { EndpointStore } from './endpoint.store.js';

/** An endpoint prepared for sending: parsed, its keys decoded. */
export interface Receiver {
  readonly endpointId: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly version: number;
  readonly url: URL;
  readonly keys: SigningKeys;
  readonly pace: 'new' | 'fast' | 'slow';
  readonly isTrial: boolean;
  /** Whether only test events are delivered, until one is answered with 2xx. */
  readonly isUntested: boolean;
}

interface PaceChange {
  readonly endpointId: EndpointId;
  readonly pace: 'fast' | 'slow';
}

/** Bounds memory. A dropped receiver costs one look-up. */
const RECEIVERS_MAX = 4_096;
/** Milliseconds until an endpoint whose secret no key opens is read again. */
const UNREADABLE_MS = 60_000;
const PACES_PER_STATEMENT_MAX = 500;
const PACES_WAITING_MAX = 10_000;

/**
 * Receivers by endpoint. A copy is valid while its version is that of the delivery, so a change of
 * address or secret needs no message to other processes.
 */
@Injectable()
export class ReceiverCache {
  private readonly receivers = new Map<string, Receiver>();
  /** When they were read, by a clock that is never set. */
  private readonly unreadableSince = new Map<EndpointId, number>();
  private toldUnreadableAt = -Infinity;
  private readonly paces: MicroBatcher<PaceChange, void>;

  constructor(
    @Inject(EndpointStore)
    private readonly endpoints: Pick<EndpointStore, 'findMany' | 'rememberPaces'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.paces = new MicroBatcher<PaceChange, void>({
      name: 'webhooks.paces',
      flush: (changes) => this.remember(changes),
      sizeMax: PACES_PER_STATEMENT_MAX,
      queueMax: PACES_WAITING_MAX,
    });
  }

  /** Loads receivers that are missing or too old. Deleted and unreadable endpoints stay missing. */
  async prepare(wanted: ReadonlyMap<string, number>): Promise<void> {
    const stale = [...wanted].filter(
      ([id, version]) => (this.receivers.get(id)?.version ?? -1) < version,
    );
    if (stale.length === 0) return;
    const found = await this.endpoints.findMany(
      stale.map(([id]) => id),
      (id, error) => this.noteUnreadable(id, error),
    );
    for (const [id] of stale) this.receivers.delete(id);
    for (const endpoint of found) this.receivers.set(endpoint.id, toReceiver(endpoint));
    this.evict();
  }

  get(endpointId: EndpointId): Receiver | undefined {
    return this.receivers.get(endpointId);
  }

  /** Returns endpoints whose secret no key opened within the last minute. */
  unreadable(): EndpointId[] {
    return [...this.unreadableSince.keys()].filter((id) => this.isUnreadable(id));
  }

  isUnreadable(endpointId: EndpointId): boolean {
    const since = this.unreadableSince.get(endpointId);
    if (since === undefined) return false;
    if (performance.now() - since < UNREADABLE_MS) return true;
    this.unreadableSince.delete(endpointId);
    return false;
  }

  /** One line a minute: where a key is missing, many secrets are unreadable. */
  private noteUnreadable(endpointId: EndpointId, error: unknown): void {
    const nowMs = performance.now();
    this.unreadableSince.set(endpointId, nowMs);
    if (nowMs - this.toldUnreadableAt < UNREADABLE_MS) return;
    this.toldUnreadableAt = nowMs;
    this.logger.error({ err: error, endpointId }, 'the secret of a webhook endpoint is unreadable');
  }

  /**
   * Stores how the endpoint answers, here and across restarts. A lost write costs one probation.
   */
  pace(endpointId: EndpointId, pace: 'fast' | 'slow'): void {
    const known = this.receivers.get(endpointId);
    if (known) this.receivers.set(endpointId, { ...known, pace });
    this.paces.submit({ endpointId, pace }).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the pace of a webhook endpoint was not written');
    });
  }

  async drained(): Promise<void> {
    await this.paces.drain();
  }

  private async remember(changes: PaceChange[]): Promise<void[]> {
    await this.endpoints.rememberPaces(
      new Map(changes.map(({ endpointId, pace }) => [endpointId, pace])),
    );
    return changes.map(() => undefined);
  }

  private evict(): void {
    for (const id of this.receivers.keys()) {
      if (this.receivers.size <= RECEIVERS_MAX) return;
      this.receivers.delete(id);
    }
  }
}

export function toReceiver(endpoint: Endpoint): Receiver {
  const { id, version, url, secret, previousSecret, previousExpiresAt, pace } = endpoint;
  const { workspaceId, trial: isTrial, untested: isUntested } = endpoint;
  const previous =
    previousSecret !== null && previousExpiresAt !== null
      ? { ...signingKey(previousSecret), expiresAtMs: previousExpiresAt.getTime() }
      : null;
  return {
    endpointId: id,
    workspaceId,
    version,
    url: new URL(url),
    keys: { current: signingKey(secret), previous },
    pace: pace ?? 'new',
    isTrial,
    isUntested,
  };
}
