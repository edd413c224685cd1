import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Provider } from '@watchword/carriers';
import { createLogger, renderMetrics } from '@watchword/observability';
import { UnmappedCodes } from './unmapped-codes.js';

const MINUTE_MS = 60_000;
const accounts = new Map([
  ['twilio_eu', { carrier: 'twilio' } as Provider],
  ['africas_talking', { carrier: 'africas_talking' } as Provider],
  ['vonage_uk', { carrier: 'vonage' } as Provider],
  ['infobip', { carrier: 'infobip' } as Provider],
  ['smpp', { carrier: 'smpp' } as Provider],
]);

let now = 1_000_000;
let lines: string[];
let codes: UnmappedCodes;

beforeEach(() => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'dispatch', level: 'warn' }, destination);
  codes = new UnmappedCodes(accounts, { now: () => now }, logger);
});

const logged = () =>
  lines.map((line) => {
    const { level, provider, rawCode, msg } = JSON.parse(line);
    return [level, provider, rawCode, msg];
  });

async function counted(provider: string): Promise<number> {
  const series = `watchword_unmapped_carrier_codes_total{provider="${provider}"} `;
  const line = (await renderMetrics()).split('\n').find((one) => one.startsWith(series));
  return Number(line?.slice(series.length));
}

it.each([
  ['twilio_eu', 'twilio', ['queued', 'partially_delivered']],
  ['africas_talking', 'africas_talking', ['Sent', 'Buffered']],
  ['infobip', 'infobip', ['status 26', 'status 7']],
])(
  'a word of %s for a state that nobody knows is counted and logged',
  async (account, label, known) => {
    const unknown =
      label === 'infobip' ? ['group 9 status 1', 'group 9 status 2'] : ['Sped', 'Flown'];
    const before = await counted(label);
    for (const word of [...known, unknown[0]!, ...unknown]) codes.noteState(account, word);
    expect(logged().map(([, , word]) => word)).toEqual(unknown);
    expect((await counted(label)) - before).toBe(3);
  },
);

it('a state that is no word that can be shown is counted without it', async () => {
  const before = await counted('twilio');
  codes.noteState('twilio_eu', null);
  codes.noteState('smpp', null);
  expect(logged().map(([, , word]) => word)).toEqual([null]);
  expect((await counted('twilio')) - before).toBe(1);
});

describe('a code that no map of the carrier has', () => {
  it('is logged once a minute for each account and code, and counted each time', async () => {
    const before = await counted('twilio');
    for (const code of ['39999', '39999', '39998', '39999']) {
      codes.note('twilio_eu', 'unknown_error', code);
    }
    const text = 'the carrier gave a code that is not mapped';
    const line = (code: string) => ['warn', 'twilio_eu', code, text];
    expect(logged()).toEqual([line('39999'), line('39998')]);
    now += MINUTE_MS;
    codes.note('twilio_eu', 'unknown_error', '39999');
    expect(logged()).toEqual([line('39999'), line('39998'), line('39999')]);
    expect((await counted('twilio')) - before).toBe(5);
  });

  it('is short, and without numbers and other texts', async () => {
    const before = await counted('africas_talking');
    codes.note('africas_talking', 'unknown_error', 'X'.repeat(500));
    codes.note('africas_talking', 'unknown_error', 'to +2348031234567');
    codes.note('africas_talking', 'unknown_error', null);
    expect(logged().map(([, , code]) => code)).toEqual(['X'.repeat(64), null]);
    expect((await counted('africas_talking')) - before).toBe(3);
  });

  it.each([
    ['one with a known reason', 'twilio_eu', 'opted_out', '21610'],
    ['one for which Twilio has no reason', 'twilio_eu', 'unknown_error', '30008'],
    [
      'a failure that Africa’s Talking does not explain',
      'africas_talking',
      'unknown_error',
      'Failed',
    ],
    ['one of a simulator', 'simulator_2', 'unknown_error', '9999'],
  ] as const)('is not %s', async (_title, account, reason, code) => {
    const before = await counted('twilio');
    codes.note(account, reason, code);
    expect(logged()).toEqual([]);
    expect(await counted('twilio')).toBe(before);
  });
});

describe('a code that says that the platform built a request wrongly', () => {
  const text = 'the carrier refused a request that the platform built wrongly';

  it('is logged once a minute for each account and code, and is not counted as unmapped', async () => {
    const before = await counted('vonage');
    for (const account of ['vonage_uk', 'vonage', 'vonage_uk']) {
      codes.note(account, 'message_invalid', '2');
    }
    codes.note('vonage', 'message_invalid', '3');
    const line = (account: string, code: string) => ['warn', account, code, text];
    const first = [line('vonage_uk', '2'), line('vonage', '2'), line('vonage', '3')];
    expect(logged()).toEqual(first);
    now += MINUTE_MS;
    codes.note('vonage', 'message_invalid', '3');
    expect(logged()).toEqual([...first, line('vonage', '3')]);
    expect(await counted('vonage')).toBe(before);
  });

  it.each([
    ['twilio', '21602'],
    ['twilio', '21617'],
    ['infobip', 'status 24'],
    ['infobip', 'status 25'],
    ['africas_talking', 'InvalidLinkId'],
    ['smpp', 'ESME_RINVSCHED'],
    ['smpp', 'ESME_RINVEXPIRY'],
    ['smpp', 'ESME_RINVESMCLASS'],
  ])('is, of %s, %s', (carrier, code) => {
    codes.note(carrier, 'message_invalid', code);
    expect(logged()).toEqual([['warn', carrier, code, text]]);
  });

  it.each([
    ['a text that is too long for the carrier', 'vonage', 'message_invalid', '12'],
    ['the same number in a report', 'vonage', 'absent_subscriber', '2'],
    ['a status to which an operator gave another meaning', 'smpp', 'throttled', 'ESME_RINVSCHED'],
    ['one of a simulator', 'simulator_1', 'message_invalid', '2'],
  ] as const)('is not %s', (_title, account, reason, code) => {
    codes.note(account, reason, code);
    expect(logged()).toEqual([]);
  });
});
