import { expect, it } from '@jest/globals';
import { renderMetrics } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { refused } from './dispatch.kit.js';
import { kit, resetCarriers, useKit } from './one-dispatch.kit.js';

useKit();
resetCarriers();

/** Scripted carriers have no label of their own. */
const SERIES = 'watchword_unmapped_carrier_codes_total{provider="other"} ';

async function counted(): Promise<number> {
  const line = (await renderMetrics()).split('\n').find((one) => one.startsWith(SERIES));
  return Number(line?.slice(SERIES.length) ?? 0);
}

it('unmapped codes in answers of carriers are counted', async () => {
  const before = await counted();
  kit.africasTalking.answer = () => refused('unknown_error');
  const [unmapped, mapped] = [smsCommand(), smsCommand()];
  await kit.send(unmapped);
  await kit.until(unmapped.message_id, 'sent');
  kit.africasTalking.answer = () => refused('no_route');
  await kit.send(mapped);
  await kit.until(mapped.message_id, 'sent');
  expect(await counted()).toBe(before + 1);
});

it.each([
  ['failed', 'unknown_error', 1],
  ['failed', 'a reason of a later release', 1],
  ['failed', 'absent_subscriber', 0],
  ['enroute', null, 0],
] as const)('unmapped codes in reports are counted: %s, %s', async (state, reason, times) => {
  const sms = smsCommand();
  await kit.send(sms);
  await kit.until(sms.message_id, 'sent');
  const before = await counted();
  const { provider } = await kit.stored(sms.message_id);
  const report = deliveryReport({ message_id: sms.message_id, provider: String(provider) });
  await kit.report({ ...report, state, reason, raw_code: '4711' });
  await eventually(async () => expect(await counted()).toBe(before + times));
});
