import { expect, it } from '@jest/globals';
import { type CarrierRecord, type ChangeCarrierBody, routes } from '@watchword/contracts';
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
  const { body } = await kit.serve<{ data: CarrierRecord[] }>(routes.listCarriers, {});
  return body?.data.find((one) => one.id === id);
}

async function change(id: string, body: ChangeCarrierBody): Promise<CarrierRecord | undefined> {
  const asked = { parameters: { id }, body };
  return (await kit.serve<CarrierRecord>(routes.changeCarrier, asked)).body;
}

it('a drained account gets nothing until it is active again', async () => {
  expect(await sentBy()).toBe('africas_talking');
  const drained = await change('africas_talking', { state: 'drained' });
  expect(drained).toMatchObject({ state: 'drained', circuit: 'closed', submits_per_minute: 1 });
  expect(await sentBy()).toBe('twilio');
  await change('africas_talking', { state: 'active' });
  expect(await sentBy()).toBe('africas_talking');
});

it('a preferred account goes first in its countries, and keeps its state', async () => {
  await change('twilio', { preferred_in: ['NG'] });
  expect(await sentBy()).toBe('twilio');
  expect(await sentBy({ country_code: 'KE' })).toBe('africas_talking');
  expect(await carrier('twilio')).toMatchObject({ state: 'active', preferred_in: ['NG'] });
  await change('twilio', { preferred_in: [] });
});

it('changes of an unknown account, or with an unknown country, are refused', async () => {
  const refusal = (type: string, field?: string) => ({ type, ...(field && { field }) });
  await expect(change('nobody', {})).rejects.toMatchObject(refusal('not_found'));
  const misspelt = change('twilio', { preferred_in: ['NG', 'XX'] });
  await expect(misspelt).rejects.toMatchObject(refusal('validation_error', 'preferred_in.1'));
});
