import { Inject, Injectable } from '@nestjs/common';
import { SettingsVersion } from '../settings-version.js';
import { ApiKeyStore } from './api-key.store.js';
import type { Caller, KeyDirectory } from './key-directory.port.js';

type LookUp = PromiseWithResolvers<Caller | null>;

/**
 * Reads keys from the database, all keys of one turn of the event loop in one statement. Nothing is
 * kept, so a revoked key is refused by every gateway on its next request.
 */
@Injectable()
export class BatchedKeyDirectory implements KeyDirectory {
  private waiting = new Map<string, LookUp>();

  constructor(
    @Inject(ApiKeyStore) private readonly store: Pick<ApiKeyStore, 'findCallers' | 'isNew'>,
    @Inject(SettingsVersion) private readonly settings: Pick<SettingsVersion, 'reached'>,
  ) {}

  find(tokenHash: string): Promise<Caller | null> {
    let lookUp = this.waiting.get(tokenHash);
    if (!lookUp) {
      if (this.waiting.size === 0) setImmediate(() => void this.read());
      lookUp = Promise.withResolvers<Caller | null>();
      this.waiting.set(tokenHash, lookUp);
    }
    return lookUp.promise;
  }

  isNew(tokenHash: string): boolean {
    return this.store.isNew(tokenHash);
  }

  private async read(): Promise<void> {
    const lookUps = this.waiting;
    this.waiting = new Map();
    try {
      const { callers, settingsVersion } = await this.store.findCallers([...lookUps.keys()]);
      if (settingsVersion !== null) await this.settings.reached(settingsVersion);
      for (const [tokenHash, { resolve }] of lookUps) resolve(callers.get(tokenHash) ?? null);
    } catch (error) {
      for (const { reject } of lookUps.values()) reject(error);
    }
  }
}
