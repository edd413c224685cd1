import type { UserId, WorkspaceId } from '@watchword/contracts';
import type { KeyRing } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { PaymentStore } from './payment.store.js';
import { type AuthorisationRow, TopUpSettingsStore } from './top-up-settings.store.js';

export const AUTHORISATION_PURPOSE = 'payment authorisations';

export type Authorisation = Omit<AuthorisationRow, 'authorisation'> & { authorisation: string };

/**
 * Deletes the authorisation of a person, or whosever it is, with what it would pay for. The caller holds
 * the account, so no charge begins meanwhile. Returns whether there was one.
 */
export async function deleteAuthorisation(
  transaction: Queryable,
  workspaceId: WorkspaceId,
  savedBy: UserId | null,
  reason: string,
  at: Date,
): Promise<boolean> {
  const topUps = new TopUpSettingsStore(transaction);
  if (!(await topUps.deleteAuthorisation(workspaceId, savedBy))) return false;
  await topUps.switchOff(workspaceId, reason, at);
  await new PaymentStore(transaction).switchedOff(workspaceId, at);
  return true;
}

/** Saved payment methods, encrypted and bound to their workspace. */
export class Authorisations {
  constructor(private readonly ring: KeyRing) {}

  async find(database: Queryable, workspaceId: WorkspaceId): Promise<Authorisation | undefined> {
    const row = await new TopUpSettingsStore(database).findAuthorisation(workspaceId);
    return row && { ...row, authorisation: this.ring.open(row.authorisation, workspaceId) };
  }

  async save(database: Queryable, workspaceId: WorkspaceId, given: Authorisation): Promise<void> {
    const authorisation = this.ring.seal(given.authorisation, workspaceId);
    const topUps = new TopUpSettingsStore(database);
    const before = await topUps.findAuthorisation(workspaceId);
    if (before && before.savedBy !== given.savedBy) {
      await deleteAuthorisation(
        database,
        workspaceId,
        null,
        'authorisation_replaced',
        given.savedAt,
      );
    }
    await topUps.saveAuthorisation(workspaceId, { ...given, authorisation });
  }
}
