import { type Clock, newId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Provider } from '@watchword/carriers';
import type { OtpCodes } from '../src/channels/otp/otp-codes.port.js';
import type { Message } from '../src/messages/message.js';
import { MessageChanges } from '../src/messages/message-changes.handler.js';
import { afterWrite, type MessageStore } from '../src/messages/message.store.js';
import type { MessageWrite } from '../src/messages/message-write.js';
import { Router } from '../src/routing/router.js';
import { Sender } from '../src/sending/sender.js';
import { UnmappedCodes } from '../src/sending/unmapped-codes.js';
import { AT } from './message.kit.js';

const clock: Clock = { now: () => AT.getTime() };
const logger = createLogger({ service: 'dispatch', level: 'silent' });

/** Messages without a database. A write succeeds only with the latest version. */
export class StoredMessages extends Map<string, Message> {
  /** Reads of one message or more. */
  reads = 0;

  async read(wanted: readonly { id: string }[]): Promise<Map<string, Message>> {
    this.reads += 1;
    return new Map(wanted.map(({ id }) => [id, this.get(id)!]));
  }

  async update(writes: readonly MessageWrite[]): Promise<Set<string>> {
    const fitting = writes.filter(({ message: one }) => one.version === this.get(one.id)?.version);
    for (const { message: one } of fitting) this.set(one.id, afterWrite(one));
    return new Set(fitting.map(({ message: { id } }) => id));
  }
}

/** Opens a sender of these messages, with one carrier. */
export function senderOf(stored: StoredMessages, carrier: Provider): Sender {
  const providers = new Map([[carrier.name, carrier]]);
  return new Sender(
    newId(),
    new MessageChanges(stored as unknown as MessageStore, clock),
    providers,
    new Router(providers, clock, logger),
    undefined as unknown as OtpCodes,
    clock,
    logger,
    new UnmappedCodes(providers, clock, logger),
    { current: async () => ({ enforcement: 'off', countries: {} }) },
  );
}

/** Returns the message with its last attempt held by the sender. */
export function heldBy(sender: Sender, one: Message): Message {
  const last = one.attempts.length;
  const attempts = one.attempts.map((attempt) =>
    attempt.number === last ? { ...attempt, heldBy: sender.id } : attempt,
  );
  return { ...one, attempts };
}
