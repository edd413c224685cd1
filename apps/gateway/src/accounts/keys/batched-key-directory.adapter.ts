import { Inject, Injectable } from '@nestjs/common';
import { BoundedMap } from '@watchword/platform';
import { SettingsVersion } from '../settings-version.js';
import { ApiKeyStore, type Versions } from './api-key.store.js';
import type { Caller, KeyDirectory } from './key-directory.port.js';

type LookUp = PromiseWithResolvers<Caller | null>;

const KEPT_MAX = 10_000;

/**
 * Asks the database about the keys of each turn of the event loop, in one statement. Callers are kept as long as
 * that statement says that no key and no workspace changed, so a revoked key is refused by every gateway on its next
 * request.
 */
@Injectable()
export class BatchedKeyDirectory implements KeyDirectory {
  private waiting = new Map<string, LookUp>();
  private kept = new BoundedMap<string, Caller>(KEPT_MAX);
  private keyVersion = -1;

  constructor(
    @Inject(ApiKeyStore)
    private readonly store: Pick<ApiKeyStore, 'findCallers' | 'readVersions' | 'isNew'>,
    @Inject(SettingsVersion) private readonly settings: Pick<SettingsVersion, 'reached'>,
  ) {}

  find(tokenHash: string): Promise<Caller | null> {
    let lookUp = this.waiting.get(tokenHash);
    if (!lookUp) {
      if (this.waiting.size === 0) setImmediate(() => void this.answer());
      lookUp = Promise.withResolvers<Caller | null>();
      this.waiting.set(tokenHash, lookUp);
    }
    return lookUp.promise;
  }

  isNew(tokenHash: string): boolean {
    return this.store.isNew(tokenHash);
  }

  private async answer(): Promise<void> {
    const lookUps = this.waiting;
    this.waiting = new Map();
    try {
      const hashes = [...lookUps.keys()];
      const callers = (await this.current(hashes)) ?? (await this.read(hashes));
      for (const [tokenHash, { resolve }] of lookUps) resolve(callers.get(tokenHash) ?? null);
    } catch (error) {
      for (const { reject } of lookUps.values()) reject(error);
    }
  }

  /** Returns what is kept of the keys, or null when one is not kept or something changed. */
  private async current(hashes: readonly string[]): Promise<ReadonlyMap<string, Caller> | null> {
    const callers = new Map<string, Caller>();
    for (const hash of hashes) {
      const caller = this.kept.get(hash);
      if (caller === undefined) return null;
      callers.set(hash, caller);
    }
    const { keyVersion } = this;
    const versions = await this.store.readVersions();
    await this.settings.reached(versions.settings_version);
    return versions.key_version === keyVersion ? callers : null;
  }

  private async read(hashes: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
    const { callers, versions } = await this.store.findCallers(hashes);
    if (versions !== null) {
      await this.settings.reached(versions.settings_version);
      this.keep(callers, versions);
    }
    return callers;
  }

  private keep(callers: ReadonlyMap<string, Caller>, { key_version: version }: Versions): void {
    // A slower look-up that began earlier.
    if (version < this.keyVersion) return;
    if (version > this.keyVersion) this.kept = new BoundedMap(KEPT_MAX);
    this.keyVersion = version;
    for (const [tokenHash, caller] of callers) this.kept.set(tokenHash, caller);
  }
}
