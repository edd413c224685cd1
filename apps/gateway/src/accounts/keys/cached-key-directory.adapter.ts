import { DatabaseUnavailable } from '@watchword/postgres';
import { BoundedMap } from '@watchword/platform';
import type { Change, ChangeListener } from '../../invalidation/change.js';
import type { GatewayLease } from '../../invalidation/gateway-lease.js';
import { TookTooLong, within } from '@watchword/platform';
import type { ApiKeyStore } from './api-key.store.js';
import type { Caller, KeyDirectory } from './key-directory.port.js';

/**
 * Keys in the memory of one gateway, backed by the database of all. What is kept is used only under a
 * live lease; without one every request asks the database for itself.
 *
 * A lookup that was under way when something was revoked may have read the state before: its result is
 * thrown away and looked up again (`epoch`), so that no stale answer can enter the cache behind the
 * revocation. Unknown keys are remembered too, in a map of their own: a flood of them cannot evict real ones.
 */
const KNOWN_MAX = 10_000;
const UNKNOWN_MAX = 10_000;
/** Nobody waits longer to be told that the database is away. */
const LOOKUP_WITHIN_MS = 800;

export class CachedKeyDirectory implements KeyDirectory, ChangeListener {
  private readonly known = new BoundedMap<string, Caller>(KNOWN_MAX);
  private readonly unknown = new BoundedMap<string, true>(UNKNOWN_MAX);
  private readonly lookups = new Map<string, Promise<Caller | null>>();
  private epoch = 0;

  constructor(
    private readonly store: Pick<ApiKeyStore, 'findCaller'>,
    private readonly lease: Pick<GatewayLease, 'live' | 'everyoneKnows'>,
  ) {}

  find(tokenHash: string): Caller | null | Promise<Caller | null> {
    if (!this.lease.live) return this.read(tokenHash);
    const caller = this.known.get(tokenHash);
    if (caller) return caller;
    if (this.unknown.get(tokenHash)) return null;
    return this.lookups.get(tokenHash) ?? this.startLookup(tokenHash);
  }

  keyRevoked(): Promise<void> {
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
    // Whoever asks from now on must not join a lookup that began before.
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

  private async read(tokenHash: string): Promise<Caller | null> {
    try {
      return await within(LOOKUP_WITHIN_MS, this.store.findCaller(tokenHash));
    } catch (error) {
      throw error instanceof TookTooLong ? new DatabaseUnavailable(false, error) : error;
    }
  }

  private async lookUp(tokenHash: string): Promise<Caller | null> {
    for (;;) {
      const epoch = this.epoch;
      const caller = await this.read(tokenHash);
      if (epoch !== this.epoch) continue;
      if (!this.lease.live) return caller;
      if (caller) this.known.set(tokenHash, caller);
      else this.unknown.set(tokenHash, true);
      return caller;
    }
  }
}
