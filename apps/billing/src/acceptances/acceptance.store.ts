import { Inject, Injectable } from '@nestjs/common';
import {
  IDEMPOTENCY_KEY_HOURS,
  type IdempotencyClaim,
  idFloor,
  type MessageId,
  type MessageKind,
  type RecentSend,
  type SendMessage,
  type SendWindow,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

export interface MessageOfWorkspace {
  workspaceId: WorkspaceId;
  /** Null: of either mode. */
  testMode: boolean | null;
  messageId: MessageId;
}

export interface ClaimOfWorkspace {
  workspaceId: WorkspaceId;
  claim: IdempotencyClaim;
}

/** What a valid key was used for. */
export interface KnownClaim {
  fingerprint: string;
  /** Null when the key belongs to something else than a send. */
  command: SendMessage | null;
}

const findCommands = statement(
  'billing.find-acceptances',
  `SELECT acceptance.command
   FROM unnest($1::uuid[], $2::uuid[], $3::boolean[])
     WITH ORDINALITY AS item (workspace_id, message_id, test_mode, ordinal)
   LEFT JOIN billing.acceptances AS acceptance
     ON acceptance.message_id = item.message_id AND acceptance.workspace_id = item.workspace_id
     AND acceptance.test_mode = coalesce(item.test_mode, acceptance.test_mode)
   ORDER BY item.ordinal`,
);

const findClaims = statement(
  'billing.find-claims',
  `SELECT known.fingerprint, acceptance.command
   FROM unnest($1::uuid[], $2::text[], $3::text[])
     WITH ORDINALITY AS item (workspace_id, scope, key, ordinal)
   LEFT JOIN billing.idempotency_keys AS known
     ON known.workspace_id = item.workspace_id AND known.scope = item.scope
     AND known.key = item.key AND known.created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'
   LEFT JOIN billing.acceptances AS acceptance ON acceptance.message_id = known.message_id
   ORDER BY item.ordinal`,
);

/** Returns a row per window, in their order. */
const fullWindows = statement(
  'billing.find-full-windows',
  `SELECT CASE WHEN item.max_sends <= coalesce(known.sends, 0) THEN greatest(1, ceil(extract(
       epoch FROM least(known.ends_at - $4::timestamptz, make_interval(secs => item.seconds))
     )))::bigint END AS seconds
   FROM unnest($1::uuid[], $2::bigint[], $3::integer[])
     WITH ORDINALITY AS item (id, max_sends, seconds, ordinal)
   LEFT JOIN billing.send_windows AS known ON known.id = item.id AND known.ends_at > $4
   ORDER BY item.ordinal`,
);

/** Milliseconds from a send's id until its acceptance at most. */
const ACCEPTED_WITHIN_MS = 5_000;
/**
 * A list right after a send needs the newest messages. Those before them have had longer to reach
 * dispatch.
 */
const RECENT_MAX = 20;

/** Walks the ids of some seconds, of all workspaces. A separate index would cost every send. */
const recent = statement(
  'billing.recent-sends',
  `SELECT message_id, command::json ->> 'kind' AS kind
   FROM billing.acceptances
   WHERE message_id > $2 AND workspace_id = $1 AND created_at >= $3
     AND test_mode = coalesce($4, test_mode)
     AND command::json -> 'resend' ->> 'otp_id' IS NULL
     AND command::json ->> 'kind' = ANY ($5)
   ORDER BY message_id DESC LIMIT ${RECENT_MAX}`,
);

/** Reads accepted messages; nothing here locks or writes. */
@Injectable()
export class AcceptanceStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async findCommands(wanted: readonly MessageOfWorkspace[]): Promise<(SendMessage | null)[]> {
    const { rows } = await this.database.query<{ command: string | null }>(findCommands, [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ messageId }) => messageId),
      wanted.map(({ testMode }) => testMode),
    ]);
    return rows.map(({ command }) => parsed(command));
  }

  async findClaims(wanted: readonly ClaimOfWorkspace[], at: Date): Promise<(KnownClaim | null)[]> {
    const { rows } = await this.database.query<{
      fingerprint: string | null;
      command: string | null;
    }>(findClaims, [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ claim }) => claim.scope),
      wanted.map(({ claim }) => claim.key),
      at,
    ]);
    return rows.map(({ fingerprint, command }) =>
      fingerprint === null ? null : { fingerprint, command: parsed(command) },
    );
  }

  /** Returns sends of these kinds without resends, newest first. */
  async recent(
    { workspaceId, testMode }: Omit<MessageOfWorkspace, 'messageId'>,
    since: Date,
    kinds: readonly MessageKind[],
  ): Promise<RecentSend[]> {
    const from = idFloor(since.getTime() - ACCEPTED_WITHIN_MS);
    const parameters = [workspaceId, from, since, testMode, kinds];
    return (await this.database.query<RecentSend>(recent, parameters)).rows;
  }

  /** Returns for each window the seconds until it ends, if it is full. */
  async fullWindows(windows: readonly SendWindow[], at: Date): Promise<(number | null)[]> {
    const { rows } = await this.database.query<{ seconds: number | null }>(fullWindows, [
      windows.map(({ id }) => id),
      windows.map(({ limit }) => limit),
      windows.map(({ seconds }) => seconds),
      at,
    ]);
    return rows.map(({ seconds }) => seconds);
  }
}

function parsed(command: string | null): SendMessage | null {
  return command === null ? null : (JSON.parse(command) as SendMessage);
}
