import { expect, it } from '@jest/globals';
import type { Provider } from '@watchword/carriers';
import { createLogger } from '@watchword/observability';
import { DatabaseUnavailable } from '@watchword/postgres';
import { FakeClock } from '@watchword/testing';
import { smsCommand } from '../../test/commands.kit.js';
import { ScriptedProvider } from '../../test/dispatch.kit.js';
import type { Attempt } from '../messages/message.js';
import type { Router } from '../routing/router.js';
import { CarrierCalls } from './carrier-calls.js';
import { newMessage } from './new-message.policy.js';
import type { UnmappedCodes } from './unmapped-codes.js';

it('keeps the sender while the rules cannot be read, and warns once a minute', async () => {
  const clock = new FakeClock(Date.now());
  const account = new ScriptedProvider('twilio');
  account.senderNumber = '+15005550006';
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const calls = new CarrierCalls(
    {
      providers: new Map<string, Provider>([[account.name, account]]),
      router: { admit: () => 'well', record: () => undefined } as unknown as Router,
      clock,
      logger: createLogger({ service: 'dispatch', level: 'warn' }, { write }),
      unmapped: {} as UnmappedCodes,
      rules: { current: () => Promise.reject(new DatabaseUnavailable(false, null)) },
    },
    new AbortController().signal,
  );
  const attempt = { number: 1, resend: 0, provider: account.name } as Attempt;
  const submit = () => {
    const message = newMessage(smsCommand(), null, new Date(clock.now()));
    return calls.submit(message, attempt, null);
  };
  await submit();
  await submit();
  clock.advance(60_000);
  await submit();
  calls.close();
  expect(account.submits.map(({ senderId }) => senderId)).toEqual(['Acme', 'Acme', 'Acme']);
  expect(lines).toHaveLength(2);
});
