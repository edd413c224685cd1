import { Inject, Injectable } from '@nestjs/common';
import type { Clock, MessageId } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { channelOf } from '../channels/channels.js';
import type { Message } from './message.js';
import { tidied } from './message-change.policy.js';
import { distinctRefs } from './record-refs.js';
import { announcements } from './message-event.policy.js';
import { afterWrite, MessageStore } from './message.store.js';
import type { KeyRow, MessageWrite } from './message-write.js';
import { isWithin, narrowest, type Scope } from './scope.policy.js';

/** Returns the message as it should be, or the same object if nothing changes. Must be pure. */
export type Change = (message: Message, at: Date) => Message;

export interface ChangeRequest {
  readonly id: MessageId;
  readonly change: Change;
  /** The message as last seen, which saves a read. It may be out of date. */
  readonly known?: Message;
  /** Written together with the change, if it is one. */
  readonly keys?: readonly KeyRow[];
  /** The number opted out of the sender: written together with the change, if it is one. */
  readonly optsOut?: boolean | undefined;
  /** Scope of the caller; absent for a change without a caller. */
  readonly within?: Scope;
}

/** In every round another write came first. This many in a row cannot happen by chance. */
const ROUNDS_MAX = 50;

/**
 * Applies changes to many messages at a time: reads them, decides in memory and writes all in one
 * statement.
 *
 * Deciding takes no lock. A write names the version it was decided on and fails when the message
 * has another one. Then the change is decided again on the current message. So deliveries, answers,
 * expiry and verification can race each other, in one process or several.
 */
@Injectable()
export class MessageChanges {
  constructor(
    private readonly store: MessageStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Applies changes. Several changes of one message are made in the order of the list. Returns null
   * for a message outside the scope.
   */
  async apply(requests: readonly ChangeRequest[]): Promise<(Message | null)[]> {
    const current = new Map<string, Message>();
    for (const { id, known } of requests) if (known) current.set(id, known);
    const settled = new Map<string, Message>();
    let open = Map.groupBy(requests, ({ id }) => id);
    for (let round = 1; open.size > 0; round += 1) {
      if (round > ROUNDS_MAX) throw new Error('a message changes faster than it can be changed');
      const missing = [...open.values()].flat().filter(({ id }) => !current.has(id));
      const read = await this.store.read(distinctRefs(missing));
      for (const [id, message] of read) current.set(id, message);
      const conflicts = await this.round(open, current, settled);
      open = new Map([...open].filter(([id]) => conflicts.has(id)));
      for (const id of conflicts) current.delete(id);
    }
    return requests.map(({ id, within }) => {
      const message = settled.get(id);
      return message && isWithin(message, within) ? message : null;
    });
  }

  /** Returns the ids that another process changed meanwhile. */
  private async round(
    open: ReadonlyMap<string, ChangeRequest[]>,
    current: ReadonlyMap<string, Message>,
    settled: Map<string, Message>,
  ): Promise<Set<string>> {
    const at = new Date(this.clock.now());
    const writes: MessageWrite[] = [];
    for (const [id, requests] of open) {
      const before = current.get(id);
      if (!before) continue;
      const allowed = requests.filter(({ within }) => isWithin(before, within));
      const after = allowed.reduce((message, { change }) => change(message, at), before);
      const within = narrowest(allowed.flatMap((request) => request.within ?? []));
      const keys = allowed.flatMap(keysOf);
      const optsOut = allowed.some((request) => request.optsOut);
      if (after === before) settled.set(id, before);
      else writes.push({ ...writeOf(before, after, at), keys, optsOut, within });
    }
    const written = await this.store.update(writes);
    const conflicts = new Set<string>();
    for (const { message } of writes) {
      if (written.has(message.id)) settled.set(message.id, afterWrite(message));
      else conflicts.add(message.id);
    }
    return conflicts;
  }
}

function keysOf({ keys = [] }: ChangeRequest): readonly KeyRow[] {
  return keys;
}

/** Returns what must be written between the two messages, events and refunds included. */
export function writeOf(before: Message | null, changed: Message, at: Date): MessageWrite {
  const isUnseen = before !== null && isNotedOnly(before, changed);
  const message = tidied({ ...changed, updatedAt: isUnseen ? before.updatedAt : at });
  return {
    before,
    message,
    attempts: message.attempts.filter((attempt) => !before?.attempts.includes(attempt)),
    outgoing: announcements(before, message),
  };
}

/**
 * A receipt that comes after the end is noted on an attempt. Where the channel does not show that, the
 * record stays as it was answered, `updated_at` included.
 */
function isNotedOnly(before: Message, after: Message): boolean {
  const isSameEnd = before.state === after.state && before.endedAt === after.endedAt;
  const isSameRefund = before.settledAt === after.settledAt && before.refunded === after.refunded;
  const isShown = channelOf(after.content).showsLateReceipts;
  return !isShown && after.endedAt !== null && isSameEnd && isSameRefund;
}
