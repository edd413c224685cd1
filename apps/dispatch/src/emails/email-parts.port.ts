import type { EmailProvider } from '@watchword/carriers';
import type { WorkspaceId } from '@watchword/contracts';
import type { ComposeOrder } from '@watchword/email';

/** What emails need from other folders. */

export interface DomainName {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

export interface SigningDomain extends DomainName {
  readonly status: 'pending' | 'verified' | 'temporary_failure' | 'failed';
  readonly selector: string;
  /** PKCS #8 in PEM. */
  readonly privateKeyPem: string;
  /** Whether the last look-up found each record, by its purpose. */
  readonly recordStates: Readonly<Record<string, string | undefined>>;
}

export interface SigningDomains {
  /** Returns entries for the pairs that exist. Leaves out those whose key cannot be decrypted. */
  signing(
    pairs: readonly DomainName[],
    unreadable: (domain: DomainName, error: unknown) => void,
  ): Promise<readonly SigningDomain[]>;
}

export interface SuppressionEntry {
  readonly workspaceId: WorkspaceId;
  readonly address: string;
  readonly origin: 'bounce' | 'complaint' | 'unsubscribe';
  readonly scope: 'all' | 'marketing';
  readonly at: Date;
}

/** An entry as it stands on the list. */
export interface StandingEntry {
  readonly workspaceId: WorkspaceId;
  readonly suppression: {
    /** In lower case. */
    readonly address: string;
    readonly scope: SuppressionEntry['scope'];
    readonly created_at: string;
  };
}

export interface Suppressions {
  /** Returns each entry as it is stored afterwards. A known entry keeps its age. */
  add(entries: readonly SuppressionEntry[]): Promise<readonly StandingEntry[]>;
  /** Returns whether each address is suppressed, in order. */
  suppressed(
    questions: readonly {
      readonly workspaceId: WorkspaceId;
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

/** Token of the parts that settings define (`configured-email.ts`). Tests have their own. */
export const EMAIL_PARTS = Symbol('email parts');

export interface EmailParts {
  /** Providers in order of preference. */
  readonly providers: ReadonlyMap<string, EmailProvider>;
  readonly composer: Composer;
  readonly domains: SigningDomains;
  readonly suppressions: Suppressions;
}
