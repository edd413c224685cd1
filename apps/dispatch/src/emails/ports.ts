import type { ComposeOrder } from '@watchword/email';

/** What emails need from other folders. */

export interface SigningDomain {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: 'pending' | 'verified' | 'temporary_failure' | 'failed';
  readonly selector: string;
  /** PKCS #8 in PEM. */
  readonly privateKeyPem: string;
  /** Whether the last look-up found each record, by its purpose. */
  readonly recordStates: Readonly<Record<string, string | undefined>>;
}

export interface SigningDomains {
  /** Returns entries for the pairs that exist. */
  signing(
    pairs: readonly { readonly workspaceId: string; readonly name: string }[],
  ): Promise<readonly SigningDomain[]>;
}

export interface SuppressionEntry {
  readonly workspaceId: string;
  readonly address: string;
  readonly origin: 'bounce' | 'complaint' | 'unsubscribe';
  readonly scope: 'all' | 'marketing';
  readonly at: Date;
}

export interface Suppressions {
  add(entries: readonly SuppressionEntry[]): Promise<unknown>;
  /** Returns whether each address is suppressed, in order. */
  suppressed(
    questions: readonly {
      readonly workspaceId: string;
      readonly address: string;
      readonly category: 'transactional' | 'marketing';
    }[],
  ): Promise<readonly boolean[]>;
}

/** Composes and signs a message off the event loop. */
export interface Composer {
  compose(order: ComposeOrder): Promise<Buffer>;
  close(): Promise<void>;
}
