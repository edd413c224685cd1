/** Sessions with SMSCs that exist, as their bytes were recorded. */
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import type { CarrierInbound, CarrierReport, Provider } from '../src/provider.port.js';
import { ReplayedSmsc } from './replayed-smsc.kit.js';
import { smppProvider } from './smsc.kit.js';

const SUBMITS = 4;
let smsc: ReplayedSmsc;
let provider: Provider;

afterEach(async () => {
  await provider.stop();
  await smsc.close();
});

async function play(recording: string, settings: object = {}) {
  const [reports, inbound]: [CarrierReport[], CarrierInbound[]] = [[], []];
  smsc = new ReplayedSmsc(recording);
  provider = await smppProvider(await smsc.listen(), settings);
  await provider.start(
    async (some) => void reports.push(...some),
    async (some) => void inbound.push(...some),
  );
  const outcomes = [];
  for (let count = 0; count < SUBMITS; count += 1) outcomes.push(await provider.submit(SAMPLE));
  await eventually(() => expect(smsc.answers).toHaveLength(smsc.asked.length));
  // Messages of handsets are answered once they are passed on.
  const answered = smsc.answers.toSorted(([one], [other]) => one - other);
  const asked = smsc.asked.toSorted((one, other) => one - other);
  expect(answered).toEqual(asked.map((sequence) => [sequence, 0]));
  return { outcomes, reports, inbound };
}

it('jsmpp 3.0.2: ids hexadecimal in answers and decimal in receipts, UCS-2 behind the text', async () => {
  const { outcomes, reports } = await play('jsmpp', { messageIds: 'hex-decimal' });
  const ids = outcomes.map((one) => 'providerMessageId' in one && one.providerMessageId);
  expect(ids).toEqual(['497474874', '1524521142', '1311636681', '702505388']);
  expect(reports.map(({ providerMessageId }) => providerMessageId)).toEqual(ids);
  for (const { state } of reports) expect(state).toBe('delivered');
});

it('smscsim (4975a56): no type of number, sequence numbers of 32 bits', async () => {
  const { outcomes, reports } = await play('smscsim');
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(SUBMITS).fill('accepted'));
  expect(reports.map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual(
    outcomes.map((one) => 'providerMessageId' in one && one.providerMessageId).toSorted(),
  );
  for (const { state } of reports) expect(state).toBe('delivered');
});

it('smscsim (4975a56) with FAILED_SUBMITS: refusals without a body, UNDELIV with err 069', async () => {
  const { outcomes, reports } = await play('smscsim-failed', {
    errorReasons: { 69: 'absent_subscriber' },
  });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    'refused',
    'accepted',
    'refused',
    'accepted',
  ]);
  expect(outcomes[0]).toMatchObject({ rawCode: 'ESME_RSYSERR', reason: 'provider_unavailable' });
  const failed = { state: 'failed', reason: 'absent_subscriber', rawCode: 'UNDELIV 069' };
  expect(reports).toMatchObject([failed, failed]);
});

it('smppy 0.3.2: answers without an id, words of a receipt in a message of no receipt', async () => {
  const { outcomes, reports, inbound } = await play('smppy');
  expect(outcomes).toMatchObject(Array(SUBMITS).fill({ outcome: 'ambiguous' }));
  expect(reports).toEqual([]);
  expect(inbound.map(({ body }) => body).slice(0, 3)).toEqual(['STOP', 'Arrêt', 'Стоп']);
});

it.each([
  ['ch-smpp 5.0.9: a version in its answer to the bind', 'ch-smpp', 'ch-0000000'],
  [
    'go-smpp (2894b96): an octet before the text that its length does not count',
    'go-smpp',
    'go-0000000',
  ],
])('%s', async (_title, recording, begin) => {
  const { outcomes, reports } = await play(recording);
  const ids = ['1', '2', '3', '4'].map((number) => begin + number);
  expect(outcomes.map((one) => 'providerMessageId' in one && one.providerMessageId)).toEqual(ids);
  expect(reports.map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual(ids);
  for (const { state } of reports) expect(state).toBe('delivered');
});
