import type { WorkspaceId } from '@watchword/contracts';
import type { KeyRing } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { type AuthorisationRow, TopUpSettingsStore } from './top-up-settings.store.js';

export const AUTHORISATION_PURPOSE = 'payment authorisations';

export type Authorisation = Omit<AuthorisationRow, 'authorisation'> & { authorisation: string };

/** Saved payment methods, encrypted and bound to their workspace. */
export class Authorisations {
  constructor(private readonly ring: KeyRing) {}

  async find(database: Queryable, workspaceId: WorkspaceId): Promise<Authorisation | undefined> {
    const row = await new TopUpSettingsStore(database).findAuthorisation(workspaceId);
    return row && { ...row, authorisation: this.ring.open(row.authorisation, workspaceId) };
  }

  async save(database: Queryable, workspaceId: WorkspaceId, given: Authorisation): Promise<void> {
    const authorisation = this.ring.seal(given.authorisation, workspaceId);
    await new TopUpSettingsStore(database).saveAuthorisation(workspaceId, {
      ...given,
      authorisation,
    });
  }
}
