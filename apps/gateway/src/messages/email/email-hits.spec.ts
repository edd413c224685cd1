import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { EmailHitsHandler } from './email-hits.handler.js';

it('decisions 28: a second hit on a link within a second is not counted, but that of a person after a machine is', async () => {
  const published: unknown[] = [];
  const bus = {
    publish: async (_topic: unknown, messages: unknown[]) => published.push(...messages),
  };
  const [clock, emailId] = [new FakeClock(), newId()];
  const hits = new EmailHitsHandler(bus as never, clock);
  const click = async (isByMachine: boolean) => {
    await hits.take({
      ...{ kind: 'clicked', email_id: emailId, recipient: 0 },
      click: { url: 'https://a.example/', ip: null, user_agent: null, machine_click: isByMachine },
    });
    return published.length;
  };
  expect([await click(true), await click(true), await click(false), await click(false)]).toEqual([
    1, 1, 2, 2,
  ]);
  clock.advance(1_000);
  expect(await click(false)).toBe(3);
});
