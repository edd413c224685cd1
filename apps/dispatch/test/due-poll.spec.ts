import { expect, it } from '@jest/globals';
import { FakeClock } from '@watchword/testing';
import { SendMessageHandler } from '../src/sending/send-message.handler.js';
import { smsCommand } from './commands.kit.js';

it('the time of a scheduled message is noted when it was stored, and only then', async () => {
  const clock = new FakeClock();
  const noted: string[] = [];
  const unstored = new Set<string>();
  const none = {} as never;
  const handler = new SendMessageHandler(
    {
      insert: async (writes: { message: { id: string } }[]) =>
        new Set(writes.map(({ message }) => message.id).filter((id) => !unstored.has(id))),
    } as never,
    { id: 'sender', waitForSlot: async () => undefined, send: () => undefined } as never,
    { choose: () => undefined } as never,
    none,
    { handle: async () => undefined } as never,
    { screen: async () => new Map() } as never,
    { at: (due: Date) => noted.push(due.toISOString()) } as never,
    clock,
  );
  const at = (delayMs: number) => new Date(clock.now() + delayMs).toISOString();
  const of = (delayMs: number) => smsCommand({ created_at: at(0), send_at: at(delayMs) });
  const known = of(2_000);
  unstored.add(known.message_id);
  await handler.handle([of(500), of(-500), known, smsCommand({ created_at: at(0) })]);
  expect(noted).toEqual([at(500)]);
});
