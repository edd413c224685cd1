import { type AccountEvent, newId, type PlatformSettingsPatch, TOPICS } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';
import type { Workspace } from './workspace.js';

const LOCK = `hashtextextended('shared sender IDs', 0)`;

/**
 * Keeps the shared sender IDs as they are until the transaction ends. It comes before any other lock, so
 * that an announced list is never older than the stored one.
 */
export async function holdSharedSenderIds(transaction: Queryable): Promise<void> {
  await transaction.query(`SELECT pg_advisory_xact_lock_shared(${LOCK})`);
}

/** Waits for the announcements that are being written, and keeps further ones waiting. */
export async function lockSharedSenderIds(transaction: Queryable): Promise<void> {
  await transaction.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/**
 * Announces workspaces to the other services, in the transaction of their change. The transaction has
 * locked their rows. So the database's clock orders the events of a workspace, also those of gateways
 * whose clocks differ.
 */
export async function announce(
  transaction: Queryable,
  type: AccountEvent['type'],
  workspaces: readonly Workspace[],
): Promise<void> {
  const isEnforcing = workspaces.some(({ settings }) => enforcesSenders(settings));
  const shared = isEnforcing ? await sharedSenderIds(transaction) : [];
  const occurredAt = await clockTime(transaction);
  const events = workspaces.map(({ id, name, suspension, settings }): AccountEvent => {
    const enforcesCountries = settings.country_enforcement === 'enforce';
    return {
      type,
      workspace_id: id,
      name,
      suspended: suspension !== null,
      enforced_countries: enforcesCountries ? settings.enabled_countries : null,
      shared_sender_ids: enforcesSenders(settings) ? shared : null,
      anti_spam: settings.anti_spam,
      ...(hasExceptions(settings) && { anti_spam_allow: settings.anti_spam_allow }),
      quiet_hours: settings.quiet_hours,
      occurred_at: occurredAt,
    };
  });
  await transaction.query(
    `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
     SELECT topic, reader, key, message_id, 'svc.account-event.v1', $2, payload
     FROM unnest($3::text[], $4::text[], $5::text[]) AS event (key, message_id, payload)
     JOIN message_queue_readers ON topic = $1`,
    [
      TOPICS.accountEvents.name,
      occurredAt,
      events.map(({ workspace_id: id }) => id),
      events.map(() => newId()),
      events.map((event) => JSON.stringify(event)),
    ],
  );
}

async function clockTime(transaction: Queryable): Promise<string> {
  const { rows } = await transaction.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return rows[0]!.at.toISOString();
}

function enforcesSenders({ sender_id_enforcement: enforcement }: Workspace['settings']): boolean {
  return enforcement === 'enforce';
}

function hasExceptions({ anti_spam: setting, anti_spam_allow: allow }: Workspace['settings']) {
  return setting !== 'off' && Object.values(allow).some((list) => list.length > 0);
}

async function sharedSenderIds(transaction: Queryable): Promise<string[]> {
  const { rows } = await transaction.query<{ settings: PlatformSettingsPatch }>(
    'SELECT settings FROM platform_settings',
  );
  return rows[0]?.settings.shared_sender_ids ?? [];
}
