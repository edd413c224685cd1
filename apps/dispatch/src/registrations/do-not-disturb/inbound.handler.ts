import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, DATABASE } from '@watchword/platform';
import { type Clock, type InboundMessage, newId, type WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { oneKindThat } from '../../channels/channels.js';
import { DestinationStore } from './destination.store.js';

/**
 * Finds the message that the handset answers. A carrier's short code stands for many senders, so
 * the last SMS to the handset counts; one from the sender that the handset wrote to takes
 * precedence. A name with letters is a sender ID, never a short code, so a message from another
 * sender ID is not meant.
 */
const findAnswered = statement(
  'dispatch_answered_message',
  `SELECT workspace_id AS "workspaceId", sender_id AS "senderId" FROM (
     SELECT id, workspace_id, sender_id FROM messages
     WHERE destination = $1 AND kind = ${oneKindThat(({ takesOptOuts }) => takesOptOuts)}
       AND NOT test_mode ORDER BY id DESC LIMIT 50
   ) AS latest
   WHERE $2 !~ '[A-Za-z]' OR sender_id IS NULL OR lower(sender_id) = lower($2)
   ORDER BY (lower(sender_id) = lower($2)) IS TRUE DESC, id DESC LIMIT 1`,
);

interface Answered {
  readonly workspaceId: WorkspaceId;
  readonly senderId: string | null;
}

/**
 * STOP opts the handset out of the sender's messages, START opts it in again. Repetitions change
 * nothing.
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
    if (keyword !== 'stop' && keyword !== 'start') return;
    const { rows } = await this.database.query<Answered>(findAnswered, [from, to]);
    const [answered] = rows;
    if (!answered) return;
    const { workspaceId, senderId } = answered;
    if (keyword === 'stop') {
      const at = new Date(this.clock.now());
      await this.destinations.optOut(newId(), workspaceId, from, senderId, at);
    } else {
      await this.destinations.deleteOptOuts(workspaceId, from, senderId ?? '');
    }
  }
}
