import { Inject, Injectable } from '@nestjs/common';
import { CachedReading, DATABASE } from '@watchword/platform';
import type {
  AntiSpamAllow,
  MessageId,
  SendMessage,
  SmsContent,
  WorkspaceId,
  WorkspaceSettings,
} from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

const stand = statement(
  'dispatch_workspace_standings',
  `INSERT INTO workspace_standings AS known
     (workspace_id, suspended, changed_at, enforced_countries, shared_sender_ids, anti_spam,
      anti_spam_allow, quiet_hours)
   SELECT DISTINCT ON (workspace_id)
       workspace_id, suspended, changed_at, enforced_countries,
       shared_sender_ids, anti_spam, anti_spam_allow, quiet_hours
     FROM unnest($1::uuid[], $2::boolean[], $3::timestamptz[], $4::json[], $5::json[], $6::text[],
         $7::json[], $8::text[])
       WITH ORDINALITY AS given (
         workspace_id, suspended, changed_at, enforced_countries, shared_sender_ids, anti_spam,
         anti_spam_allow, quiet_hours, ordinal)
     ORDER BY workspace_id, ordinal DESC
   ON CONFLICT (workspace_id) DO UPDATE
     SET suspended = excluded.suspended, changed_at = excluded.changed_at,
       enforced_countries = excluded.enforced_countries,
       shared_sender_ids = excluded.shared_sender_ids, anti_spam = excluded.anti_spam,
       anti_spam_allow = excluded.anti_spam_allow, quiet_hours = excluded.quiet_hours
     WHERE known.changed_at <= excluded.changed_at`,
);

const findSuspended = statement(
  'dispatch_suspended_workspaces',
  'SELECT workspace_id AS "workspaceId" FROM workspace_standings WHERE suspended',
);

/**
 * Milliseconds for which a suspension that another replica stored can be unknown here. The gateway
 * refuses the workspace's keys meanwhile.
 */
const KNOWN_MS = 1_000;

const findRules = statement(
  'dispatch_rules_of_workspaces',
  `SELECT workspace_id AS "workspaceId", enforced_countries AS countries,
     shared_sender_ids AS "sharedSenderIds", anti_spam AS "antiSpam",
     anti_spam_allow AS "antiSpamAllow", quiet_hours AS "quietHours"
   FROM workspace_standings WHERE workspace_id = ANY ($1::uuid[])`,
);

const hold = statement(
  'dispatch_hold_commands',
  `INSERT INTO held_commands (message_id, workspace_id, command, expires_at)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])
   ORDER BY 1 ON CONFLICT DO NOTHING`,
);

/** Oldest first, so that a resend comes after its message. */
const due = statement(
  'dispatch_due_held_commands',
  `SELECT command FROM held_commands AS held
   WHERE expires_at <= $1 OR NOT EXISTS (
     SELECT FROM workspace_standings AS standing
     WHERE standing.workspace_id = held.workspace_id AND standing.suspended)
   ORDER BY message_id LIMIT $2`,
);

const release = statement(
  'dispatch_release_commands',
  'DELETE FROM held_commands WHERE message_id = ANY ($1::uuid[])',
);

type AntiSpamSetting = SmsContent['anti_spam'];
type QuietHoursSetting = WorkspaceSettings['quiet_hours'];

/** Settings of a workspace that count when a scheduled message is due. */
export interface WorkspaceRules {
  /** Null: the workspace may send to every country. */
  readonly countries: readonly string[] | null;
  /** Sender IDs that need no registration. Null: none needs one. */
  readonly sharedSenderIds: readonly string[] | null;
  /** Null: not known; the setting of the acceptance counts. */
  readonly antiSpam: AntiSpamSetting | null;
  /** Messages that are not judged. Null: none. */
  readonly antiSpamAllow: AntiSpamAllow | null;
  /** Null: not known, so quiet hours do not count. */
  readonly quietHours: QuietHoursSetting | null;
}

export interface Standing {
  readonly workspaceId: WorkspaceId;
  readonly suspended: boolean;
  readonly changedAt: string;
  /** Null: the workspace may send to every country. */
  readonly enforcedCountries: readonly string[] | null;
  /** Null: the workspace does not enforce registered sender IDs. */
  readonly sharedSenderIds: readonly string[] | null;
  readonly antiSpam: AntiSpamSetting | null;
  readonly antiSpamAllow: AntiSpamAllow | null;
  readonly quietHours: QuietHoursSetting | null;
}

/** The gateway's statements about workspaces, and the commands that wait for suspended ones. */
@Injectable()
export class SuspensionStore {
  private readonly suspensions = new CachedReading(() => this.readSuspended(), KNOWN_MS);

  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Applies the events in order. Of two about one workspace the later one counts. */
  async stand(standings: readonly Standing[]): Promise<void> {
    await this.database.query(stand, [
      standings.map(({ workspaceId }) => workspaceId),
      standings.map(({ suspended }) => suspended),
      standings.map(({ changedAt }) => changedAt),
      standings.map(({ enforcedCountries: list }) => list && JSON.stringify(list)),
      standings.map(({ sharedSenderIds: list }) => list && JSON.stringify(list)),
      standings.map(({ antiSpam }) => antiSpam),
      standings.map(({ antiSpamAllow: allow }) => allow && JSON.stringify(allow)),
      standings.map(({ quietHours }) => quietHours),
    ]);
    this.suspensions.forget();
  }

  /** Returns the rules by workspace. One that the gateway never announced is absent. */
  async rules(workspaceIds: readonly WorkspaceId[]): Promise<ReadonlyMap<string, WorkspaceRules>> {
    type Row = WorkspaceRules & { workspaceId: WorkspaceId };
    const { rows } = await this.database.query<Row>(findRules, [workspaceIds]);
    return new Map(rows.map(({ workspaceId, ...rules }) => [workspaceId, rules]));
  }

  /** Returns the workspaces that are suspended, as read within the last second. */
  suspended(): Promise<ReadonlySet<string>> {
    return this.suspensions.current();
  }

  private async readSuspended(): Promise<ReadonlySet<string>> {
    const { rows } = await this.database.query<{ workspaceId: WorkspaceId }>(findSuspended);
    return new Set(rows.map(({ workspaceId }) => workspaceId));
  }

  async hold(commands: readonly SendMessage[]): Promise<void> {
    await this.database.query(hold, [
      commands.map(({ message_id: id }) => id),
      commands.map(({ workspace_id: id }) => id),
      commands.map((command) => JSON.stringify(command)),
      commands.map(({ otp, resend }) => otp?.expires_at ?? resend?.expires_at ?? null),
    ]);
  }

  /** Returns commands of workspaces no longer suspended, and commands with an expired code. */
  async due(now: Date, limit: number): Promise<SendMessage[]> {
    const { rows } = await this.database.query<{ command: string }>(due, [now, limit]);
    return rows.map(({ command }) => JSON.parse(command) as SendMessage);
  }

  async release(messageIds: readonly MessageId[]): Promise<void> {
    await this.database.query(release, [messageIds]);
  }
}
