import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, DATABASE } from '@watchword/platform';
import { type Clock, type InboundMessage, newId, type WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { foldSenderId, isSenderName } from '@watchword/telephony';
import { oneKindThat } from '../../channels/channels.js';
import { DestinationStore } from './destination.store.js';

/** Enough to find the last message of each sender that has written to the handset of late. */
const LATEST = 1_000;

/** The last SMS of each sender to the handset. */
const findLatest = statement(
  'dispatch_latest_of_senders',
  `SELECT DISTINCT ON (sender_id) id, workspace_id AS "workspaceId", sender_id AS "senderId" FROM (
     SELECT id, workspace_id, sender_id FROM messages
     WHERE destination = $1 AND kind = ${oneKindThat(({ takesOptOuts }) => takesOptOuts)}
       AND NOT test_mode ORDER BY id DESC LIMIT ${LATEST}
   ) AS latest
   ORDER BY sender_id, id DESC`,
);

interface Written {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly senderId: string | null;
}

/**
 * STOP opts the handset out of one sender in the workspace that wrote last from it. START opens that sender in
 * every workspace. Repetitions change nothing.
 */
@Injectable()
export class InboundHandler {
  private readonly destinations: DestinationStore;

  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.destinations = new DestinationStore(database);
  }

  /** In order, so that START after STOP counts. */
  async handle(messages: readonly InboundMessage[]): Promise<void> {
    for (const message of messages) await this.apply(message);
  }

  private async apply({ from, to, keyword }: InboundMessage): Promise<void> {
    if (keyword === 'stop') {
      const answered = (await this.answerable(from, to))[0];
      if (!answered) return;
      const { workspaceId, senderId } = answered;
      const at = new Date(this.clock.now());
      await this.destinations.optOut(newId(), workspaceId, from, senderId, at);
    } else if (keyword === 'start') {
      await this.optIn(from, to);
    }
  }

  private async optIn(from: string, to: string): Promise<void> {
    const senders = (await this.answerable(from, to)).map(({ senderId }) => foldedOf(senderId));
    if (isSenderName(to)) {
      await this.destinations.optIn(from, [foldSenderId(to), ...senders.slice(0, 1)]);
      return;
    }
    // A number: the START undoes a STOP to the last of its senders that has one.
    const closed = await this.destinations.optedOutOf(from);
    const undone = senders.find((sender) => closed.has(sender));
    if (undone !== undefined) await this.destinations.optIn(from, [undone]);
  }

  /**
   * Returns the messages that the handset can answer, the likeliest first. A carrier's short code stands for many
   * senders, so the last SMS to the handset counts. A name with letters is a sender ID, never a short code: it
   * means a message from it, or else one without a sender of its own.
   */
  private async answerable(from: string, to: string): Promise<Written[]> {
    const { rows } = await this.database.query<Written>(findLatest, [from]);
    const latest = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    if (!isSenderName(to)) return latest;
    const folded = foldSenderId(to);
    const named = latest.filter(({ senderId }) => foldedOf(senderId) === folded);
    return [...named, ...latest.filter(({ senderId }) => senderId === null)];
  }
}

function foldedOf(senderId: string | null): string {
  return foldSenderId(senderId ?? '');
}
