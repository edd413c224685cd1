import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { Attempt, Message, Otp } from './message.js';
import * as table from './message-columns.js';

/** A bus message that is published if, and only if, the write that brings it happens. */
export interface Outgoing {
  readonly topic: string;
  readonly key: string;
  readonly id: string;
  readonly type: string;
  readonly time: Date;
  readonly payload: string;
}

/** The idempotency key of a counted verification, and the answer it got. */
export interface KeyRow {
  readonly workspaceId: string;
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly result: unknown;
  readonly createdAt: Date;
}

export interface MessageWrite {
  readonly message: Message;
  /** New and changed ones. */
  readonly attempts: readonly Attempt[];
  readonly outgoing: readonly Outgoing[];
  readonly keys?: readonly KeyRow[];
}

const MESSAGE_COLUMNS = [
  ...table.FIXED_COLUMNS,
  ...table.CHANGING_COLUMNS,
  ...table.FIXED_OTP_COLUMNS,
  ...table.CHANGING_OTP_COLUMNS,
];
const WRITTEN_COLUMNS = [...table.CHANGING_COLUMNS, ...table.CHANGING_OTP_COLUMNS];
const OUTGOING = `"messageId" uuid, ordinal integer, topic text, key text, id text, type text,
  time timestamptz, payload text`;

const READ = statement(
  'dispatch_read_messages',
  `SELECT ${table.selection(MESSAGE_COLUMNS, 'm')}, m.version,
    (SELECT json_agg(tried ORDER BY tried.number) FROM (
      SELECT ${table.selection(table.ATTEMPT_COLUMNS, 'a')} FROM attempts a
      WHERE a.message_id = m.id) tried) AS attempts
   FROM messages m WHERE m.id = ANY ($1::uuid[])`,
);

/** A message that is there already stays as it is, and brings neither attempt nor event. */
const INSERT = statement(
  'dispatch_insert_messages',
  `WITH incoming AS (
     SELECT * FROM json_to_recordset($1::json) AS i (${table.definitions(MESSAGE_COLUMNS)})
   ), inserted AS (
     INSERT INTO messages (${table.names(MESSAGE_COLUMNS)}, version)
     SELECT ${table.values(MESSAGE_COLUMNS, 'i')}, 1 FROM incoming i
     ON CONFLICT (id) DO NOTHING
     RETURNING id
   ), attempted AS (
     INSERT INTO attempts (message_id, ${table.names(table.ATTEMPT_COLUMNS)})
     SELECT i."messageId", ${table.values(table.ATTEMPT_COLUMNS, 'i')}
     FROM json_to_recordset($2::json)
       AS i ("messageId" uuid, ${table.definitions(table.ATTEMPT_COLUMNS)})
     JOIN inserted ON inserted.id = i."messageId"
   ), announced AS (
     INSERT INTO outbox (topic, key, message_id, type, occurred_at, payload)
     SELECT o.topic, o.key, o.id, o.type, o.time, o.payload
     FROM json_to_recordset($3::json) AS o (${OUTGOING})
     JOIN inserted ON inserted.id = o."messageId"
     ORDER BY o.ordinal
   )
   SELECT id FROM inserted`,
);

/**
 * Writes what still has the version that was read. Rows are locked in sorted order, so that batches never
 * deadlock; a row that another write changed in between is left alone, with all that hangs on it.
 */
const UPDATE = statement(
  'dispatch_update_messages',
  `WITH incoming AS (
     SELECT * FROM json_to_recordset($1::json)
       AS i (id uuid, version integer, ${table.definitions(WRITTEN_COLUMNS)})
   ), locked AS (
     SELECT m.id FROM messages m JOIN incoming i ON i.id = m.id AND i.version = m.version
     ORDER BY m.id FOR NO KEY UPDATE OF m
   ), changed AS (
     UPDATE messages m SET version = i.version + 1, ${table.assignments(WRITTEN_COLUMNS, 'i')}
     FROM incoming i WHERE m.id = i.id AND m.id IN (SELECT id FROM locked)
     RETURNING m.id
   ), attempted AS (
     INSERT INTO attempts (message_id, ${table.names(table.ATTEMPT_COLUMNS)})
     SELECT i."messageId", ${table.values(table.ATTEMPT_COLUMNS, 'i')}
     FROM json_to_recordset($2::json)
       AS i ("messageId" uuid, ${table.definitions(table.ATTEMPT_COLUMNS)})
     JOIN changed ON changed.id = i."messageId"
     ON CONFLICT (message_id, number) DO UPDATE
     SET ${table.replacements(table.ATTEMPT_COLUMNS)}
   ), announced AS (
     INSERT INTO outbox (topic, key, message_id, type, occurred_at, payload)
     SELECT o.topic, o.key, o.id, o.type, o.time, o.payload
     FROM json_to_recordset($3::json) AS o (${OUTGOING})
     JOIN changed ON changed.id = o."messageId"
     ORDER BY o.ordinal
   ), keyed AS (
     INSERT INTO idempotency_keys
       (workspace_id, scope, key, fingerprint, message_id, result, created_at)
     SELECT k."workspaceId", k.scope, k.key, k.fingerprint, k."messageId", k.result, k."createdAt"
     FROM json_to_recordset($4::json) AS k ("messageId" uuid, "workspaceId" uuid, scope text,
       key text, fingerprint text, result json, "createdAt" timestamptz)
     JOIN changed ON changed.id = k."messageId"
   )
   SELECT id FROM changed`,
);

export class MessageStore {
  constructor(private readonly database: Queryable) {}

  async read(ids: readonly string[]): Promise<Map<string, Message>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.query<MessageRow>(READ, [ids]);
    return new Map(rows.map((row) => [row.id, toMessage(row)]));
  }

  /** Answers the ids of those that were new. */
  async insert(writes: readonly MessageWrite[]): Promise<Set<string>> {
    if (writes.length === 0) return new Set();
    crashPoint('dispatch.persist.before-commit');
    const { rows } = await this.database.query<{ id: string }>(INSERT, [
      messagesJson(writes),
      attemptsJson(writes),
      outgoingJson(writes),
    ]);
    crashPoint('dispatch.persist.after-commit');
    return new Set(rows.map(({ id }) => id));
  }

  /** Answers the ids of those that were written: the others were changed by somebody else meanwhile. */
  async update(writes: readonly MessageWrite[]): Promise<Set<string>> {
    if (writes.length === 0) return new Set();
    crashPoint('dispatch.change.before-commit');
    const { rows } = await this.database.query<{ id: string }>(UPDATE, [
      changesJson(writes),
      attemptsJson(writes),
      outgoingJson(writes),
      keysJson(writes),
    ]);
    crashPoint('dispatch.change.after-commit');
    return new Set(rows.map(({ id }) => id));
  }
}

type FlatOtp = { [Property in keyof Otp]: Otp[Property] | null };
type StoredAttempt = Omit<Attempt, 'startedAt' | 'finishedAt'> & {
  startedAt: string;
  finishedAt: string | null;
};
type MessageRow = Omit<Message, 'otp' | 'attempts'> &
  FlatOtp & { attempts: StoredAttempt[] | null };

function toMessage(row: MessageRow): Message {
  const { codeLength, ttlSeconds, expiresAt, language, brand, template, ...others } = row;
  const { maxAttempts, attemptCount, codeHash, codeCipher, attempts, ...message } = others;
  const text = { codeLength, ttlSeconds, expiresAt, language, brand, template };
  const otp = { ...text, maxAttempts, attemptCount, codeHash, codeCipher } as Otp;
  return {
    ...message,
    otp: message.kind === 'otp' ? otp : null,
    attempts: (attempts ?? []).map((attempt) => ({
      ...attempt,
      startedAt: new Date(attempt.startedAt),
      finishedAt: attempt.finishedAt === null ? null : new Date(attempt.finishedAt),
    })),
  };
}

function messagesJson(writes: readonly MessageWrite[]): string {
  return JSON.stringify(
    writes.map(({ message: { otp, ...message } }) => ({ ...message, ...otp, attempts: undefined })),
  );
}

/** Only what can change: a body or metadata would be carried along for nothing. */
function changesJson(writes: readonly MessageWrite[]): string {
  return JSON.stringify(
    writes.map(({ message: { otp, ...message } }) => ({
      id: message.id,
      version: message.version,
      ...picked(table.CHANGING_COLUMNS, message),
      ...(otp && picked(table.CHANGING_OTP_COLUMNS, otp)),
    })),
  );
}

function picked(list: readonly table.Column[], from: object): Record<string, unknown> {
  const source = from as Record<string, unknown>;
  return Object.fromEntries(list.map(({ property }) => [property, source[property]]));
}

function attemptsJson(writes: readonly MessageWrite[]): string {
  return JSON.stringify(
    writes.flatMap(({ message, attempts }) =>
      attempts.map((attempt) => ({ messageId: message.id, ...attempt })),
    ),
  );
}

/** Numbered, because the log keeps the order in which rows are inserted. */
function outgoingJson(writes: readonly MessageWrite[]): string {
  let ordinal = 0;
  return JSON.stringify(
    writes.flatMap(({ message, outgoing }) =>
      outgoing.map((row) => ({ messageId: message.id, ordinal: (ordinal += 1), ...row })),
    ),
  );
}

function keysJson(writes: readonly MessageWrite[]): string {
  return JSON.stringify(
    writes.flatMap(({ message, keys = [] }) =>
      keys.map((row) => ({ messageId: message.id, ...row })),
    ),
  );
}
