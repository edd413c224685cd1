import { Inject, Injectable } from '@nestjs/common';
import { type Due, type InProcessQueue, withDue } from '@watchword/bus';
import { newId, timeOrNull } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { DATABASE, IN_PROCESS_QUEUE, LOGGER } from '@watchword/platform';
import { plainArray, type Queryable, statement } from '@watchword/postgres';
import { foldSenderId } from '@watchword/telephony';
import { databaseJson, rowsJson, type Stored, timeOf } from './database-json.js';
import { readParameters, type RecordRef } from './record-refs.js';
import { channelOf } from '../channels/channels.js';
import type { StoredContent } from '../channels/text-channel.js';
import type { Attempt, Message, Resend } from './message.js';
import type { MessageWrite } from './message-write.js';
import {
  ofWritten,
  outgoingColumns,
  outgoingOf,
  type OutgoingRow,
  topicsOf,
  type WrittenRow,
} from './outgoing-rows.js';
import { countHops } from './measurements.js';
import { isFailure, type Step, stepsOf } from './message-steps.policy.js';
import { RecentMessages } from './recent-messages.js';

const read = statement(
  'dispatch_read_messages_within',
  'SELECT dispatch.read_messages_within($1::uuid[], $2::uuid[], $3::boolean[]) AS message',
  'once',
);
const insert = statement(
  'dispatch_add_messages',
  `SELECT dispatch.add_messages(${withDue('$7', '$1::json')}, $2, $3, $4, $5, $6) AS id`,
  'once',
);
const update = statement(
  'dispatch_change_messages',
  `SELECT dispatch.change_messages(${withDue('$7', '$1::json')}, $2, $3, $4, $5, $6) AS id`,
  'once',
);

/** Messages with their attempts, a batch at a time; see the `.sql` files beside this one. */
@Injectable()
export class MessageStore {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(IN_PROCESS_QUEUE) private readonly queue: InProcessQueue,
    readonly recent: RecentMessages,
  ) {}

  async read(refs: readonly RecordRef[]): Promise<Map<string, Message>> {
    const values = readParameters(refs);
    if (values === null) return new Map();
    const { rows } = await this.database.query<{ message: StoredMessage }>(read, values);
    const messages = rows.map(({ message }) => toMessage(message));
    for (const message of messages) this.recent.keep(message);
    return new Map(messages.map((message) => [message.id, message]));
  }

  /** Returns the ids of the messages that were new. */
  async insert(writes: readonly MessageWrite[]): Promise<Set<string>> {
    if (writes.length === 0) return new Set();
    const outgoing = outgoingOf(writes);
    const inserted = await this.queue.write(topicsOf(outgoing), async (due) => {
      crashPoint('dispatch.persist.before-commit');
      const { rows } = await this.database.query<WrittenRow>(insert, [
        databaseJson(writes.map(rowOf)),
        writes.length,
        attemptsJson(writes),
        scheduledJson(writes),
        ...outgoingColumns(outgoing),
        due,
      ]);
      crashPoint('dispatch.persist.after-commit');
      return ofWritten(new Set(rows.map(({ id }) => id)), outgoing);
    });
    for (const write of writes) {
      if (!inserted.has(write.message.id)) continue;
      this.recent.keep(write.message);
      this.note(write);
    }
    return inserted;
  }

  /** Returns the ids that were written. Another process has changed the others meanwhile. */
  async update(writes: readonly MessageWrite[]): Promise<Set<string>> {
    if (writes.length === 0) return new Set();
    return this.updateWith(writes, async (parameters) => {
      crashPoint('dispatch.change.before-commit');
      const { rows } = await this.database.query<WrittenRow>(update, parameters);
      crashPoint('dispatch.change.after-commit');
      return rows;
    });
  }

  /** Like `update`, with the caller's statement. It gets the parameters of the update first. */
  async updateWith(
    unsorted: readonly MessageWrite[],
    write: (parameters: unknown[]) => Promise<readonly WrittenRow[]>,
  ): Promise<Set<string>> {
    return this.writeWith(unsorted, async (writes, outgoing, due) => {
      const rows = await write([
        databaseJson(writes.map(changeOf)),
        plainArray(writes.map(({ message }) => message.id)),
        attemptsJson(writes),
        keysJson(writes),
        ...outgoingColumns(outgoing),
        due,
      ]);
      return new Set(rows.map(({ id }) => id));
    });
  }

  /**
   * Changes messages with the caller's statement, which gets them sorted by id and returns the ids
   * that it has written. Hands over what they announce.
   */
  async writeWith(
    unsorted: readonly MessageWrite[],
    write: (
      writes: readonly MessageWrite[],
      outgoing: readonly OutgoingRow[],
      due: Due,
    ) => Promise<Set<string>>,
  ): Promise<Set<string>> {
    const writes = unsorted.toSorted((one, other) => (one.message.id < other.message.id ? -1 : 1));
    const outgoing = outgoingOf(writes);
    const written = await this.queue.write(topicsOf(outgoing), async (due) =>
      ofWritten(await write(writes, outgoing, due), outgoing),
    );
    for (const one of writes) {
      const { message } = one;
      if (written.has(message.id)) {
        this.recent.keep(afterWrite(message));
        this.note(one);
      } else {
        this.recent.forget(message.id);
      }
    }
    return written;
  }

  /** Counts and logs a write that is on record. */
  private note({ before, message }: MessageWrite): void {
    countHops(before, message);
    const isLogged = (level: Step['level']) => this.logger.isLevelEnabled(level);
    if (!isLogged('info') && !(isLogged('warn') && isFailure(before, message))) return;
    for (const { level, text, fields } of stepsOf(before, message))
      this.logger[level](fields, text);
  }
}

/** As it is once written. */
export function afterWrite(message: Message): Message {
  return { ...message, version: message.version + 1, reportedNetwork: undefined };
}

function rowOf({ message: { content, resends, creditPrice, ...envelope } }: MessageWrite) {
  return {
    ...envelope,
    createdAt: timeOrNull(envelope.createdAt),
    updatedAt: timeOrNull(envelope.updatedAt),
    ...channelOf(content).toStored(content),
    priceAmount: creditPrice?.amount,
    priceCurrency: creditPrice?.currency,
    resends: resends.length === 0 ? null : resends,
    // They are separate parameters.
    attempts: undefined,
  };
}

/** Only the columns that can change: a body cannot. */
function changeOf({ before, message, within }: MessageWrite) {
  return {
    id: message.id,
    withinWorkspaceId: within?.workspaceId,
    withinTestMode: within?.testMode,
    version: message.version,
    state: message.state,
    provider: message.provider,
    providerMessageId: message.providerMessageId,
    reason: message.reason,
    refunded: message.refunded,
    settledAt: timeOrNull(message.settledAt),
    sentAt: timeOrNull(message.sentAt),
    deliveredAt: timeOrNull(message.deliveredAt),
    verifiedAt: timeOrNull(message.verifiedAt),
    endedAt: timeOrNull(message.endedAt),
    updatedAt: timeOrNull(message.updatedAt),
    ...channelOf(message.content).changes(message.content),
    resends: message.resends.length === 0 ? null : message.resends,
    shownSender: message.shownSender ?? undefined,
    portedTo: message.reportedNetwork?.portedTo,
    networkAt: message.reportedNetwork?.at,
    ...newVerdict(before, message),
  };
}

/** A scheduled message is judged when it is due: its verdict comes with a change, and may tag it. */
function newVerdict(before: Message | null, { antispam, metadata }: Message) {
  return antispam === (before?.antispam ?? null) ? undefined : { antispam, metadata };
}

function attemptsJson(writes: readonly MessageWrite[]): string | null {
  return rowsJson(
    writes.flatMap(({ before, message, attempts, optsOut }) =>
      attempts.map(({ heldBy, ...attempt }, index) => ({
        messageId: message.id,
        ...attempt,
        startedAt: timeOrNull(attempt.startedAt),
        finishedAt: timeOrNull(attempt.finishedAt),
        senderId: heldBy,
        learnsDoNotDisturb: learnsDoNotDisturb(message, attempt.reason) || undefined,
        ...(index === 0 && optsOut && newOptOut(message)),
        partIds: newPartIds(before, attempt),
      })),
    ),
  );
}

/** Returns ids of parts in the write that records them only. */
function newPartIds(
  before: Message | null,
  { number, parts }: Pick<Attempt, 'number' | 'parts'>,
): readonly string[] | undefined {
  if (!parts || parts.ids.length === 0) return undefined;
  const known = before?.attempts[number - 1]?.parts?.ids ?? [];
  return known.length === 0 ? parts.ids : undefined;
}

/** Codes reach a number that has opted out of texts. */
function newOptOut({ content, senderId }: Message) {
  if (!channelOf(content).takesOptOuts) return undefined;
  return { optOutId: newId(), optOutFolded: foldSenderId(senderId) };
}

/** The simulator's refusals in test mode are about no real number. */
function learnsDoNotDisturb({ content, testMode }: Message, reason: Attempt['reason']): boolean {
  return reason === 'dnd_active' && !testMode && channelOf(content).learnsDoNotDisturb;
}

function scheduledJson(writes: readonly MessageWrite[]): string | null {
  return rowsJson(
    writes.flatMap(({ message: { id, sendAt }, scheduled }) =>
      scheduled ? [{ messageId: id, sendAt, command: scheduled }] : [],
    ),
  );
}

function keysJson(writes: readonly MessageWrite[]): string | null {
  return rowsJson(
    writes.flatMap(({ message, keys = [] }) =>
      keys.map((row) => ({ messageId: message.id, ...row })),
    ),
  );
}

type StoredMessage = Stored<Omit<Message, 'content' | 'resends' | 'attempts'>> &
  StoredContent & { resends: Stored<Resend>[] | null; attempts: StoredAttempt[] | null };
/** The SQL functions name the holder by its former column. */
type StoredAttempt = Stored<Omit<Attempt, 'heldBy'>> & { senderId: string | null };

function toMessage(row: StoredMessage): Message {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    content: channelOf(row).fromStored(row),
    family: row.family,
    testMode: row.testMode,
    destination: row.destination,
    countryCode: row.countryCode,
    network: row.network,
    senderId: row.senderId,
    shownSender: row.shownSender,
    credits: row.credits,
    priceRule: row.priceRule,
    creditPrice: row.creditPrice,
    metadata: row.metadata,
    createdAt: new Date(row.createdAt),
    sendAt: timeOf(row.sendAt),
    state: row.state,
    version: row.version,
    provider: row.provider,
    providerMessageId: row.providerMessageId,
    reason: row.reason,
    refunded: row.refunded,
    settledAt: timeOf(row.settledAt),
    sentAt: timeOf(row.sentAt),
    deliveredAt: timeOf(row.deliveredAt),
    verifiedAt: timeOf(row.verifiedAt),
    endedAt: timeOf(row.endedAt),
    updatedAt: new Date(row.updatedAt),
    antispam: row.antispam,
    resends: (row.resends ?? []).map((resend) => ({
      ...resend,
      reservedAt: new Date(resend.reservedAt),
      startedAt: timeOf(resend.startedAt),
    })),
    attempts: (row.attempts ?? []).map(({ senderId, ...attempt }) => ({
      ...attempt,
      heldBy: senderId,
      startedAt: new Date(attempt.startedAt),
      finishedAt: timeOf(attempt.finishedAt),
    })),
  };
}
