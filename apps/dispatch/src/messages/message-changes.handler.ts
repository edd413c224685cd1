import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { channelOf } from '../channels/channels.js';
import type { Message, Resend } from './message.js';
import { tidied } from './message-change.policy.js';
import { announcements } from './message-event.policy.js';
import { afterWrite, MessageStore } from './message.store.js';
import type { MessageWrite } from './message-write.js';
import { narrowest } from './scope.policy.js';
import { type ChangeRequest, keysOf, VersionedChanges } from './versioned-changes.js';

export type Change = ChangeRequest<Message>['change'];

export interface MessageChangeRequest extends ChangeRequest<Message> {
  /** The number opted out of the sender: written together with the change, if it is one. */
  readonly optsOut?: boolean | undefined;
}

/** Changes codes and SMS, with what they announce. */
@Injectable()
export class MessageChanges extends VersionedChanges<Message, MessageChangeRequest, MessageWrite> {
  constructor(store: MessageStore, @Inject(CLOCK) clock: Clock) {
    const items = {
      read: store.read.bind(store),
      writeOf: changeOf,
      write: store.update.bind(store),
      afterWrite: ({ message }: MessageWrite) => afterWrite(message),
    };
    super(items, clock);
  }
}

function changeOf(
  before: Message,
  after: Message,
  requests: readonly MessageChangeRequest[],
  at: Date,
): MessageWrite {
  return {
    ...writeOf(before, after, at),
    keys: keysOf(requests),
    optsOut: requests.some(({ optsOut }) => optsOut),
    within: narrowest(requests.flatMap(({ within }) => within ?? [])),
  };
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
 * record stays as it was answered, `updated_at` included. Proof that it was sent is more, and so is the
 * failure of a resend, which is refunded.
 */
function isNotedOnly(before: Message, after: Message): boolean {
  const isSameEnd = before.state === after.state && before.endedAt === after.endedAt;
  const isSameHandOver = before.sentAt === after.sentAt;
  const isSameResend = ({ reason }: Resend, index: number) =>
    before.resends[index]?.reason === reason;
  const isSameRefund =
    before.settledAt === after.settledAt &&
    before.refunded === after.refunded &&
    after.resends.every(isSameResend);
  const isShown = channelOf(after.content).showsLateReceipts;
  return !isShown && after.endedAt !== null && isSameEnd && isSameHandOver && isSameRefund;
}
