import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract } from '../provider-contract.kit.js';
import type { CarrierReport } from '../provider.port.js';
import { callbackOf, fixturesOf, submitTo } from '../adapter.kit.js';
import { africasTalking } from './africas-talking.carrier.js';
import { AfricasTalkingAdapter } from './africas-talking.adapter.js';
import type { AfricasTalkingSettings } from './africas-talking.adapter.js';
import { readAfricasTalkingCallback } from './callback.js';
import { AFRICAS_TALKING_FAILURES } from './status-map.js';

const API_KEY = 'atsk_key-of-the-account';
const ID = 'ATXid_0000000000000000000000000000001';

const fixture = fixturesOf(import.meta.url);

const settings = (
  baseUrl: string,
  changes: Partial<AfricasTalkingSettings> = {},
): AfricasTalkingSettings => ({
  id: 'africas_talking',
  capacity: africasTalking.capacity,
  deadlines: africasTalking.deadlines,
  username: 'acme',
  apiKey: API_KEY,
  baseUrl,
  defaultSenderId: 'Watchword',
  ...changes,
});

/** Answers from the fixtures. Like this carrier, `name` may echo what it must not show. */
function recipientAnswer(name: string, changes: Record<string, unknown>): string {
  const answer = JSON.parse(fixture(name));
  Object.assign(answer.SMSMessageData.Recipients[0], changes);
  return JSON.stringify(answer);
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: null,
  attempt: null,
  destination: null,
  providerMessageId: ID,
  state: 'failed',
  reason: null,
  rawCode: null,
  rawMessage: null,
  network: null,
  ...changes,
});

const HANDSET = '+254711000001';
const success = callbackOf(fixture('callback-success.form'));

testCallbackContract('Africa’s Talking', {
  read: readAfricasTalkingCallback,
  good: [
    {
      title: 'a delivered message, with its network',
      callback: success,
      report: report({
        destination: HANDSET,
        state: 'delivered',
        rawCode: 'Success',
        network: 'safaricom_ke',
      }),
    },
    {
      title: 'our id, where the callback URL carries it',
      callback: { ...success, query: { mid: SAMPLE.messageId } },
      report: report({
        messageId: SAMPLE.messageId,
        destination: HANDSET,
        state: 'delivered',
        rawCode: 'Success',
        network: 'safaricom_ke',
      }),
    },
    ...AFRICAS_TALKING_FAILURES.map(([failure, reason]) => ({
      title: `the failure ${failure}`,
      callback: callbackOf(fixture('callback-failed.form').replace('UserDoesNotExist', failure)),
      report: report({ destination: HANDSET, reason, rawCode: failure, network: 'airtel_ke' }),
    })),
    ...(['Sent', 'Submitted', 'Buffered', 'Teleported'] as const).map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: callbackOf(`id=${ID}&status=${status}&failureReason=DeliveryFailure`),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    ...(
      [
        ['status=AbsentSubscriber', 'absent_subscriber', 'AbsentSubscriber'],
        ['status=Expired', 'expired', 'Expired'],
        ['status=Rejected', 'carrier_rejected', 'Rejected'],
        ['status=Failed', 'unknown_error', 'Failed'],
        ['status=Failed&failureReason=Xyz', 'unknown_error', 'Xyz'],
        ['status=Rejected&failureReason=Xyz', 'unknown_error', 'Xyz'],
        ['status=AbsentSubscriber&failureReason=Xyz', 'absent_subscriber', 'Xyz'],
        ['status=Rejected&failureReason=DoNotDisturbRejection', 'dnd_active', undefined],
      ] as const
    ).map(([fields, reason, rawCode = 'DoNotDisturbRejection']) => ({
      title: fields,
      callback: callbackOf(`id=${ID}&${fields}&networkCode=99999`),
      report: report({ reason, rawCode }),
    })),
  ],
  inbound: [
    {
      title: 'STOP',
      callback: callbackOf(
        'linkId=&text=STOP&to=20880&id=in-1&date=2026-11-22+09%3A00%3A00&from=%2B254711000001',
      ),
      message: { from: HANDSET, to: '20880', body: 'STOP', providerMessageId: 'in-1' },
    },
    ...['20880', 'Acme'].map((sender) => ({
      title: `the sender ${sender}, which has no number`,
      callback: callbackOf(`text=STOP&to=20881&id=in-3&from=${sender}`),
      message: null,
    })),
    {
      title: 'an opt-out, which is a STOP to its sender',
      callback: callbackOf('senderId=Acme&phoneNumber=%2B254711000001'),
      message: { from: HANDSET, to: 'Acme', body: 'STOP', providerMessageId: null },
    },
    {
      title: 'an opt-out whose plus sign came as a blank',
      callback: callbackOf('phoneNumber=+254711000001&senderId=20880'),
      message: { from: HANDSET, to: '20880', body: 'STOP', providerMessageId: null },
    },
  ],
  forged: [],
  malformed: [
    { title: 'another method', callback: { ...success, method: 'GET' } },
    { title: 'an inbound message of no sender', callback: callbackOf('text=STOP&to=1&id=i&from=') },
    { title: 'no id', callback: callbackOf('status=Success') },
    { title: 'no status', callback: callbackOf(`id=${ID}`) },
    { title: 'an endless id', callback: callbackOf(`id=${'A'.repeat(200)}&status=Success`) },
    { title: 'an opt-out of no sender', callback: callbackOf('phoneNumber=%2B254711000001') },
    { title: 'an opt-out of no number', callback: callbackOf('senderId=Acme') },
  ],
});

const submitAgainst = async (status: number, body: string) =>
  (await submitTo({ status, body }, (baseUrl) => new AfricasTalkingAdapter(settings(baseUrl))))
    .outcome;

describe('Africa’s Talking', () => {
  it.each([100, 101, 102])('takes the code %d as accepted', async (statusCode) => {
    await expect(
      submitAgainst(201, recipientAnswer('accepted.json', { statusCode })),
    ).resolves.toEqual({ outcome: 'accepted', providerMessageId: ID });
  });

  it.each([
    ['no recipients', '{"SMSMessageData":{"Message":"Sent to 0/0","Recipients":[]}}'],
    ['no id', recipientAnswer('accepted.json', { messageId: 'None' })],
    ['a new code of the accepting hundred', recipientAnswer('accepted.json', { statusCode: 103 })],
  ])('does not know what an answer with %s means', async (_title, body) => {
    await expect(submitAgainst(201, body)).resolves.toMatchObject({ outcome: 'ambiguous' });
  });

  it('understands the refusal of a sender, which names no recipient', async () => {
    const body = '{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}';
    await expect(submitAgainst(201, body)).resolves.toMatchObject({
      outcome: 'refused',
      reason: 'sender_id_rejected',
      rawCode: 'InvalidSenderId',
    });
  });
});
