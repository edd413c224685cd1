import { Inject, Injectable } from '@nestjs/common';
import { BoundedMap } from '@watchword/platform';
import type { Change, ChangeListener } from '../../invalidation/change.js';
import { GatewayLease } from '../../invalidation/gateway-lease.js';
import { ApiKeyStore } from './api-key.store.js';
import { FreshReads } from './fresh-reads.js';
import type { Caller, KeyDirectory } from './key-directory.port.js';

/**
 * Callers in the memory of one gateway, backed by the common database. The memory is used only
 * under a live lease. Without one every answer comes from a read that began after its request; requests
 * share those reads, so that a lease that lapses under load does not make a statement of each request.
 *
 * A look-up that runs while a key is revoked may have read the old state. Its result is dropped and
 * looked up again (`epoch`), so no stale answer enters the memory after the revocation.
 */
const KNOWN_MAX = 10_000;

@Injectable()
export class CachedKeyDirectory implements KeyDirectory, ChangeListener {
  private readonly known = new BoundedMap<string, Caller>(KNOWN_MAX);
  private readonly lookups = new Map<string, Promise<Caller | null>>();
  private readonly fresh = new FreshReads((tokenHash) => this.store.findCaller(tokenHash));
  private epoch = 0;

  constructor(
    @Inject(ApiKeyStore) private readonly store: Pick<ApiKeyStore, 'findCaller'>,
    @Inject(GatewayLease)
    private readonly lease: Pick<GatewayLease, 'mayAnswerFromMemory' | 'everyoneKnows'>,
  ) {}

  remembered(tokenHash: string): Caller | undefined {
    return this.lease.mayAnswerFromMemory() ? this.known.get(tokenHash) : undefined;
  }

  lastKnown(tokenHash: string): Caller | undefined {
    return this.known.get(tokenHash);
  }

  async find(tokenHash: string): Promise<Caller | null> {
    if (!this.lease.mayAnswerFromMemory()) return this.fresh.find(tokenHash);
    return this.known.get(tokenHash) ?? this.lookups.get(tokenHash) ?? this.startLookup(tokenHash);
  }

  async keyCreated(tokenHash: string): Promise<void> {
    // The key exists already. Its first request can look it up as well.
    await this.find(tokenHash).catch(() => undefined);
  }

  keysRevoked(): Promise<void> {
    return this.lease.everyoneKnows();
  }

  workspaceChanged(): Promise<void> {
    return this.lease.everyoneKnows();
  }

  changed({ kind, id }: Change): void {
    if (kind === 'key') this.forget((caller) => caller.keyId === id);
    if (kind === 'workspace') this.forget((caller) => caller.workspace.id === id);
  }

  forgetAll(): void {
    this.forget(() => true);
  }

  private forget(matches: (caller: Caller) => boolean): void {
    this.epoch += 1;
    // A later caller must not join a lookup that began earlier.
    this.lookups.clear();
    this.known.deleteWhere(matches);
  }

  private startLookup(tokenHash: string): Promise<Caller | null> {
    const lookup: Promise<Caller | null> = this.lookUp(tokenHash).finally(() => {
      if (this.lookups.get(tokenHash) === lookup) this.lookups.delete(tokenHash);
    });
    this.lookups.set(tokenHash, lookup);
    return lookup;
  }

  private async lookUp(tokenHash: string): Promise<Caller | null> {
    for (;;) {
      const epoch = this.epoch;
      const caller = await this.store.findCaller(tokenHash);
      if (epoch !== this.epoch) continue;
      if (!this.lease.mayAnswerFromMemory()) return caller;
      if (caller) this.known.set(tokenHash, caller);
      return caller;
    }
  }
}
