import { describe, expect, it } from '@jest/globals';
import { forAllKinds, type SubmitRequest } from '../provider.port.js';
import { fixturesOf, submitTo } from '../adapter.kit.js';
import { TermiiAdapter, type TermiiSettings } from './termii.adapter.js';
import { termii } from './termii.carrier.js';

const API_KEY = 'TLkey-of-the-account';
const ID = '3017544054459083819856413';

const fixture = fixturesOf(import.meta.url);

const settings = (baseUrl: string, changes: Partial<TermiiSettings> = {}): TermiiSettings => ({
  id: 'termii',
  capacity: termii.capacity,
  deadlines: termii.deadlines,
  apiKey: API_KEY,
  channel: 'dnd',
  baseUrl,
  defaultSenderId: 'Watchword',
  ...changes,
});

/** Submits one message. Returns its outcome and the request. */
async function submitOne(
  {
    channel = 'dnd',
    ...request
  }: Partial<SubmitRequest> & Pick<Partial<TermiiSettings>, 'channel'>,
  answer = { status: 200, body: fixture('accepted.json') },
) {
  const create = (baseUrl: string) => new TermiiAdapter(settings(baseUrl, { channel }));
  const { outcome, requests } = await submitTo(answer, create, request);
  return { outcome, sent: JSON.parse(requests[0]!.body) as Record<string, unknown> };
}

describe('Termii', () => {
  it.each([
    ['dnd', 'otp', 'dnd', {}],
    ['dnd', 'sms', 'dnd', {}],
    ['generic', 'otp', 'dnd', {}],
    ['generic', 'sms', 'generic', {}],
    ['dnd', 'sms', 'generic', { isPromotional: true }],
  ] as const)(
    'an account of channel %s sends an %s through %s %j',
    async (channel, kind, used, more) => {
      const { sent } = await submitOne({ channel, kind, ...more });
      expect(sent).toMatchObject({ channel: used, to: '2348031234567' });
    },
  );

  it('may send to numbers on a Do Not Disturb registry on channel dnd alone, which all one-time passwords take', () => {
    const flagOf = (channel: TermiiSettings['channel']) =>
      new TermiiAdapter(settings('http://127.0.0.1:9', { channel })).dndCapable;
    expect(flagOf('dnd')).toEqual(forAllKinds(true));
    expect(flagOf('generic')).toEqual({ ...forAllKinds(false), otp: true });
  });

  it.each([
    ['GSM-7', 'plain'],
    ['UCS-2', 'unicode'],
  ] as const)('calls %s %s', async (encoding, type) => {
    expect((await submitOne({ encoding })).sent).toMatchObject({ type });
  });

  it.each([
    ['a number', `{"code":"ok","message_id":${ID},"message":"Successfully Sent"}`],
    ['a text beside a number', `{"code":"ok","message_id":3.0e24,"message_id_str":"${ID}"}`],
  ])('keeps all digits of an id that is %s', async (_title, body) => {
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toEqual({ outcome: 'accepted', providerMessageId: ID });
  });

  it.each([
    ['no id', '{"code":"ok","message":"Successfully Sent"}'],
    ['an id of another type', '{"code":"ok","message_id":{}}'],
    ['nothing', ''],
  ])('does not know what an answer with %s means', async (_title, body) => {
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toMatchObject({ outcome: 'ambiguous', rawCode: 'HTTP 200' });
  });

  it('understands a refusal that comes with a success', async () => {
    const body = '{"code":"error","message":"DND Active on phone number"}';
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'dnd_active' });
  });

  it.each([
    [400, 'No phone in the request', 'unknown_error'],
    [402, 'Insufficient Balance, fund your wallet', 'provider_rejected'],
    [503, 'Invalid Sender Id', 'provider_unavailable'],
  ] as const)('takes HTTP %d, %s, as %s', async (status, message, reason) => {
    const { outcome } = await submitOne({}, { status, body: JSON.stringify({ message }) });
    expect(outcome).toMatchObject({ outcome: 'refused', reason, rawMessage: message });
  });
});
