import { Injectable } from '@nestjs/common';
import { PROTECTED_NAME_LENGTH_MAX } from '@watchword/contracts';
import { foldSenderId, visibleText } from '@watchword/telephony';
import defaults from './data/protected-sender-ids.json' with { type: 'json' };
import { ProtectedSenderIdStore } from './protected-sender-ids.store.js';

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Names of banks and operators, in memory because every live SMS reads them. */
@Injectable()
export class ProtectedSenderIds {
  private names: readonly string[] = defaults.sender_ids;
  private folded: ReadonlySet<string> = new Set(this.names.map(foldSenderId));

  constructor(private readonly store: ProtectedSenderIdStore) {}

  get current(): readonly string[] {
    return this.names;
  }

  async load(): Promise<void> {
    this.names = (await this.store.read()) ?? defaults.sender_ids;
    this.folded = new Set(this.names.map(foldSenderId));
  }

  /** Replaces the names, for every request with a key from now on. */
  async replace(names: readonly string[]): Promise<readonly string[]> {
    const kept = [...new Set(names)].toSorted();
    await this.store.replace(kept);
    await this.load();
    return kept;
  }

  /** Returns whether a live SMS with this sender ID needs an approved registration. */
  has(senderId: string): boolean {
    return this.folded.has(foldSenderId(senderId));
  }

  /** Returns whether words of the text read like a protected name, also in pieces: "G.T. bank". */
  areNamedIn(text: string): boolean {
    const words = visibleText(text).match(WORDS) ?? [];
    return words.some((_, from) => {
      let name = '';
      for (const word of words.slice(from)) {
        name += word;
        if (name.length > PROTECTED_NAME_LENGTH_MAX) return false;
        if (this.has(name)) return true;
      }
      return false;
    });
  }
}
