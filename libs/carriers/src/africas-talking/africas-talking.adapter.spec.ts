import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract, testProviderContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerVoice } from '../scripted-peer.kit.js';
import { africasTalking } from './africas-talking.carrier.js';
import { AfricasTalkingAdapter } from './africas-talking.adapter.js';
import type { AfricasTalkingSettings } from './africas-talking.adapter.js';
import { readAfricasTalkingCallback } from './callback.js';
import { AFRICAS_TALKING_CODES, AFRICAS_TALKING_FAILURES } from './status-map.js';

const API_KEY = 'atsk_key-of-the-account';
const ID = 'ATXid_0000000000000000000000000000001';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8').trim();

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

const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/version1/messaging/bulk') return null;
    if (headers['content-type'] !== 'application/json') return null;
    if (headers.accept !== 'application/json') return null;
    const { username, message, senderId, phoneNumbers, ...rest } = JSON.parse(body);
    if (username !== 'acme' || phoneNumbers.length !== 1 || Object.keys(rest).length > 0) {
      return null;
    }
    return { to: phoneNumbers[0], from: senderId, body: message };
  },
  isAuthorised: ({ headers }) => headers.apikey === API_KEY,
  accept({ to }, count) {
    const messageId = `ATXid_${String(count).padStart(31, '0')}`;
    return { status: 201, body: recipientAnswer('accepted.json', { number: to, messageId }) };
  },
  refuse({ to, body }, code) {
    const changes = {
      number: to,
      statusCode: Number(code),
      status: `Refused ${to} with ${API_KEY}: ${body}`,
    };
    return {
      status: code === '409' ? 409 : 201,
      body: recipientAnswer('refused.json', changes),
    };
  },
  fault: (status) => ({ status, body: 'The supplied authentication is invalid' }),
};

testProviderContract('Africa’s Talking', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  createProvider: (baseUrl, deadlines) =>
    new AfricasTalkingAdapter(settings(baseUrl, { deadlines })),
  createWithWrongCredentials: (baseUrl) =>
    new AfricasTalkingAdapter(settings(baseUrl, { apiKey: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [API_KEY],
  refusals: AFRICAS_TALKING_CODES,
  unknownCode: '499',
});

function callbackOf(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  return {
    method: 'POST',
    url: 'https://svc.example.com/callbacks/africas_talking/path-secret-0123456789',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    query: {},
    rawBody,
    ...changes,
  };
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
    {
      title: 'no text at all',
      callback: callbackOf('text=&to=20880&id=in-2&from=%2B254711000001'),
      message: { from: HANDSET, to: '20880', body: '', providerMessageId: 'in-2' },
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
    {
      title: 'an opt-out by another method',
      callback: callbackOf('senderId=Acme&phoneNumber=%2B254711000001', { method: 'GET' }),
    },
    { title: 'an opt-out of no sender', callback: callbackOf('phoneNumber=%2B254711000001') },
    { title: 'an opt-out of no number', callback: callbackOf('senderId=Acme') },
    {
      title: 'an opt-out of a number that is none',
      callback: callbackOf('senderId=Acme&phoneNumber=Acme'),
    },
    {
      title: 'an opt-out of an endless sender',
      callback: callbackOf(`senderId=${'A'.repeat(200)}&phoneNumber=%2B254711000001`),
    },
    {
      title: 'a report without an id',
      callback: callbackOf('senderId=Acme&phoneNumber=%2B254711000001&status=Success'),
    },
    { title: 'JSON', callback: callbackOf('{"id":"1","status":"Success"}') },
    { title: 'nothing', callback: callbackOf('') },
  ],
});

const submitAgainst = async (status: number, body: string) => {
  const peer = await openScriptedPeer({ ...voice, accept: () => ({ status, body }) });
  const provider = new AfricasTalkingAdapter(settings(peer.baseUrl));
  const outcome = await provider.submit(SAMPLE);
  await provider.stop();
  await peer.close();
  return outcome;
};

describe('Africa’s Talking', () => {
  it.each([100, 101, 102])('takes the code %d as accepted', async (statusCode) => {
    await expect(
      submitAgainst(201, recipientAnswer('accepted.json', { statusCode })),
    ).resolves.toEqual({ outcome: 'accepted', providerMessageId: ID });
  });

  it.each([
    ['no recipients', '{"SMSMessageData":{"Message":"Sent to 0/0","Recipients":[]}}'],
    ['no data', '{}'],
    ['another shape', '{"SMSMessageData":[]}'],
    ['no id', recipientAnswer('accepted.json', { messageId: 'None' })],
    ['an id of another type', recipientAnswer('accepted.json', { messageId: 42 })],
    ['a code of another type', recipientAnswer('accepted.json', { statusCode: '101' })],
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

  it('believes a server error more than the recipients in it', async () => {
    await expect(submitAgainst(500, fixture('accepted.json'))).resolves.toMatchObject({
      outcome: 'refused',
      reason: 'provider_unavailable',
    });
  });
});
