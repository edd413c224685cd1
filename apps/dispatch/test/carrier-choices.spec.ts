import { expect, it } from '@jest/globals';
import type { CarrierRecord } from '@watchword/contracts';
import { smsCommand } from './commands.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

useKit();

async function sentBy(change = {}): Promise<string> {
  const command = smsCommand(change);
  await kit.send(command);
  await kit.until(command.message_id, 'sent');
  return (await kit.stored(command.message_id))['provider'] as string;
}

async function carrier(id: string): Promise<CarrierRecord | undefined> {
  return (await kit.calls.listCarriers({})).carriers.find((one) => one.id === id);
}

it('a drained account gets nothing until it is active again', async () => {
  expect(await sentBy()).toBe('africas_talking');
  const { carrier: drained } = await kit.calls.changeCarrier({
    id: 'africas_talking',
    state: 'drained',
  });
  expect(drained).toMatchObject({ state: 'drained', circuit: 'closed', submits_per_minute: 1 });
  expect(await sentBy()).toBe('twilio');
  await kit.calls.changeCarrier({ id: 'africas_talking', state: 'active' });
  expect(await sentBy()).toBe('africas_talking');
});

it('a preferred account goes first in its countries, and keeps its state', async () => {
  await kit.calls.changeCarrier({ id: 'twilio', preferred_in: ['NG'] });
  expect(await sentBy()).toBe('twilio');
  expect(await sentBy({ country_code: 'KE' })).toBe('africas_talking');
  expect(await carrier('twilio')).toMatchObject({ state: 'active', preferred_in: ['NG'] });
  await kit.calls.changeCarrier({ id: 'twilio', preferred_in: [] });
});
