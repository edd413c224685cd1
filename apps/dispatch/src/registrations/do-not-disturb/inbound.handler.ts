import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, DATABASE } from '@watchword/platform';
import { type Clock, type InboundMessage, newId, type WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { foldSenderId, isSenderName } from '@watchword/telephony';
import { kindsThat } from '../../channels/channels.js';
import { DestinationStore } from './destination.store.js';

/** Enough to find the last message of each sender that has written to the handset of late. */
const LATEST = 1_000;

/** The last SMS to the handset of each sender, by each account of a carrier, sent and not. */
const findLatest = statement(
  'dispatch_latest_of_senders',
  `SELECT DISTINCT ON (sender_id, provider, "isSent")
     id, workspace_id AS "workspaceId", sender_id AS "senderId", provider, "isSent" FROM (
     SELECT id, workspace_id, sender_id, provider, sent_at IS NOT NULL AS "isSent" FROM messages
     WHERE destination = $1 AND kind IN ${kindsThat(({ takesOptOuts }) => takesOptOuts)}
       AND NOT test_mode ORDER BY id DESC LIMIT ${LATEST}
   ) AS latest
   ORDER BY sender_id, provider, "isSent", id DESC`,
);

interface LastSms {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly senderId: string | null;
  readonly provider: string | null;
  readonly isSent: boolean;
}

/**
 * STOP opts the handset out of a sender in the workspace that wrote last from it. START opens the sender in every
 * workspace; where it is a number, all that it stands for. Repetitions change nothing.
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

  private async apply(inbound: InboundMessage): Promise<void> {
    const { from, to, keyword } = inbound;
    if (keyword !== 'stop' && keyword !== 'start') return;
    const repliedTo = await this.repliedTo(inbound);
    if (keyword === 'start') {
      const senders = repliedTo.map(({ senderId }) => foldSenderId(senderId));
      if (isSenderName(to)) senders.push(foldSenderId(to));
      await this.destinations.optIn(from, senders);
      return;
    }
    // One that waits or failed gets no answer, unless the answer of its carrier is still to come.
    const last = repliedTo.find(({ isSent }) => isSent) ?? repliedTo[0];
    if (!last) return;
    const at = new Date(this.clock.now());
    await this.destinations.optOut(newId(), last.workspaceId, from, last.senderId, at);
  }

  /**
   * Returns the messages that the inbound one can reply to, the newest first. A name with letters means messages from
   * that sender ID, or else those without one. A number stands for every sender that its account carried.
   */
  private async repliedTo({ from, to, provider }: InboundMessage): Promise<LastSms[]> {
    const { rows } = await this.database.query<LastSms>(findLatest, [from]);
    const latest = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    if (isSenderName(to)) {
      const folded = foldSenderId(to);
      const named = latest.filter(({ senderId }) => foldSenderId(senderId) === folded);
      return named.length > 0 ? named : latest.filter(({ senderId }) => senderId === null);
    }
    const carried = latest.filter((one) => one.provider === provider);
    return carried.length > 0 ? carried : latest;
  }
}
