import { hash } from 'node:crypto';
import type { DispatchCalls, EmailContent, StoredBytesBound } from '@watchword/contracts';

/** What dispatch stores of emails. */
export class ScriptedContents {
  /** In order of arrival. */
  readonly contents: EmailContent[] = [];
  /** Of the calls that stored contents. */
  readonly bounds: (StoredBytesBound | null)[] = [];
  isFull = false;
  /** Hashes of contents that were given back. */
  readonly released: string[] = [];
  /** What the next calls of `storeEmailContents` throw. */
  readonly failures: Error[] = [];

  readonly calls: Pick<DispatchCalls, 'storeEmailContents' | 'releaseEmailContents'> = {
    storeEmailContents: async ({ contents, bound = null }) => {
      const failure = this.failures.shift();
      if (failure) throw failure;
      this.bounds.push(bound);
      if (this.isFull) return { verdict: 'full' };
      this.contents.push(...contents);
      return { sha256: contents.map((content) => hash('sha256', JSON.stringify(content))) };
    },
    releaseEmailContents: async ({ sha256 }) => {
      this.released.push(...sha256);
      return {};
    },
  };
}
