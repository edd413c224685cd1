import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Provider } from '@watchword/carriers';
import type { Message } from '../src/messages/message.js';
import { MessageChanges } from '../src/messages/message-changes.handler.js';
import { afterWrite, type MessageStore } from '../src/messages/message.store.js';
import type { MessageWrite } from '../src/messages/message-write.js';
import type { OtpCodes } from '../src/channels/otp/otp-codes.port.js';
import { Router } from '../src/routing/router.js';
import { Sender } from '../src/sending/sender.js';
import { UnmappedCodes } from '../src/sending/unmapped-codes.js';
import { accepted, refused, ScriptedProvider } from './dispatch.kit.js';
import { AT, message } from './message.kit.js';

const clock: Clock = { now: () => AT.getTime() };
const logger = createLogger({ service: 'dispatch', level: 'silent' });

const TURNS_MAX = 100_000;

/** Checks in every turn of the event loop. A timer would check when both are done. */
async function turnsUntil(what: string, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    if (isSo()) return;
    await new Promise(setImmediate);
  }
  throw new Error(`${TURNS_MAX} turns of the event loop without ${what}`);
}

/** A single message. A write succeeds only with its latest version. */
class OneMessage {
  constructor(public current: Message) {}

  async read(): Promise<Map<string, Message>> {
    return new Map([[this.current.id, this.current]]);
  }

  async update(writes: readonly MessageWrite[]): Promise<Set<string>> {
    const fitting = writes.filter(({ message: { version } }) => version === this.current.version);
    for (const write of fitting) this.current = afterWrite(write.message);
    return new Set(fitting.map(({ message: { id } }) => id));
  }
}

describe('an attempt that two have in their hands', () => {
  it('is made by the sender that recorded it, also when the other takes it over', async () => {
    const carrier = new ScriptedProvider('africas_talking');
    const providers = new Map<string, Provider>([[carrier.name, carrier]]);
    const born = message('sms', { provider: carrier.name });
    const store = new OneMessage(born);
    const sender = new Sender({
      changes: new MessageChanges(store as unknown as MessageStore, clock),
      providers,
      router: new Router(providers, clock, logger),
      codes: undefined as unknown as OtpCodes,
      clock,
      logger,
      unmapped: new UnmappedCodes(providers, clock, logger),
      rules: { current: async () => ({ enforcement: 'off', countries: {} }) },
    });
    const [first] = born.attempts;
    const taken: Message = { ...born, attempts: [{ ...first!, heldBy: sender.id }] };
    store.current = taken;
    carrier.answer = ({ messageId }) =>
      carrier.submits.length === 1 ? refused('provider_unavailable') : accepted(messageId);
    sender.send(taken, null);
    await turnsUntil('a second attempt', () => store.current.attempts.length === 2);
    // As a recovery read it, for which the process had been silent for too long.
    sender.resume(taken, 0);
    await turnsUntil('an end', () => store.current.state !== 'accepted');
    await sender.stop(5_000);
    expect(carrier.submits).toHaveLength(2);
    expect(store.current.attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted']);
  });
});
