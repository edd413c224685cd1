import { describe, expect, it } from '@jest/globals';
import { testCallbackContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport } from '../provider.port.js';
import { callbackOf, fixturesOf } from '../adapter.kit.js';
import { readTermiiCallback } from './callback.js';
import { isTermiiSignature, termiiSignature } from './signature.js';
import { termiiStatus } from './status-map.js';

const SECRET_KEY = 'termii_secret';
const ID = '3017544054459083819856413';

const fixture = fixturesOf(import.meta.url);

function signed(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  const headers = { 'x-termii-signature': termiiSignature(SECRET_KEY, rawBody) };
  return callbackOf(rawBody, { headers, ...changes });
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: null,
  attempt: null,
  providerMessageId: ID,
  destination: '+2348031234567',
  state: 'failed',
  reason: null,
  rawCode: null,
  rawMessage: null,
  network: null,
  ...changes,
});

const delivered = signed(fixture('callback-delivered.json'));
const withStatus = (status: string) =>
  signed(fixture('callback-delivered.json').replace('DELIVERED', status));
const changed = (changes: object) =>
  signed(JSON.stringify({ ...JSON.parse(fixture('callback-delivered.json')), ...changes }));
const inbound = (changes: object = {}) =>
  signed(JSON.stringify({ ...JSON.parse(fixture('callback-inbound.json')), ...changes }));

testCallbackContract('Termii', {
  read: (callback) => readTermiiCallback(SECRET_KEY, callback),
  good: [
    {
      title: 'a delivered message',
      callback: delivered,
      report: report({ state: 'delivered', rawCode: 'DELIVERED' }),
    },
    ...(['Delivered', 'delivered | Message delivered to handset'] as const).map((status) => ({
      title: `the status ${status}`,
      callback: withStatus(status),
      report: report({ state: 'delivered', rawCode: status.slice(0, 9) }),
    })),
    ...[
      'Message Sent',
      'MESSAGE SENT',
      'Sent',
      'Received',
      'Pending',
      'Queued',
      'Submitted',
      'Processing',
      'Accepted',
      'In Progress',
    ].map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: withStatus(status),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    ...(
      [
        ['DND Active on Phone Number', 'dnd_active'],
        ['dnd active on phone number', 'dnd_active'],
        ['Message Failed', 'carrier_rejected'],
        ['message failed', 'carrier_rejected'],
        ['Failed', 'carrier_rejected'],
        ['Rejected', 'carrier_rejected'],
        ['EXPIRED', 'expired'],
        ['Foo', 'unknown_error'],
        ['Undelivered', 'unknown_error'],
        ['__proto__', 'unknown_error'],
      ] as const
    ).map(([status, reason]) => ({
      title: `the status ${status}`,
      callback: withStatus(status),
      report: report({ reason, rawCode: status }),
    })),
    {
      title: 'an id that is a number, with all its digits',
      callback: signed(fixture('callback-delivered.json').replace(`"${ID}"`, ID)),
      report: report({ state: 'delivered', rawCode: 'DELIVERED' }),
    },
  ],
  inbound: [
    {
      title: 'STOP',
      callback: inbound(),
      message: {
        from: '+2348031234567',
        to: '2347010000000',
        body: 'STOP',
        providerMessageId: '3017544054459083819856414',
      },
    },
  ],
  forged: [
    { title: 'no signature', callback: { ...delivered, headers: {} } },
    {
      title: 'another key’s signature',
      callback: {
        ...delivered,
        headers: { 'x-termii-signature': termiiSignature('another', delivered.rawBody) },
      },
    },
    {
      title: 'a changed body',
      callback: { ...delivered, rawBody: delivered.rawBody.replace('DELIVERED', 'Rejected') },
    },
    { title: 'an empty request', callback: { ...delivered, headers: {}, rawBody: '' } },
  ],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no id', callback: changed({ message_id: undefined }) },
    { title: 'an endless id', callback: changed({ message_id: '1'.repeat(200) }) },
    { title: 'no status', callback: changed({ status: undefined }) },
    { title: 'an inbound message without a sender', callback: inbound({ sender: '' }) },
  ],
});

describe('Termii’s signature', () => {
  it('is that of the domain text', () => {
    const expected =
      '038a5273bf905ee6c7f4f819377cb9871ae19fd637120c7ad26bd6627bdbdf40' +
      'd1e1bd5582fc1ba65fdcbc2ca691b7c0ed9d0ea55055cab89addba8c45c63834';
    expect(termiiSignature('termii_secret', delivered.rawBody)).toBe(expected);
    expect(isTermiiSignature(expected, 'termii_secret', delivered.rawBody)).toBe(true);
    expect(isTermiiSignature(expected, 'termii_secret', `${delivered.rawBody} `)).toBe(false);
  });
});

describe('Termii’s reports', () => {
  it('ignores events of other types, so that Termii does not repeat them', () => {
    const body = '{"type":"device_status","status":"disconnected","device_id":"1"}';
    const result = readTermiiCallback(SECRET_KEY, signed(body));
    expect(result).toEqual({ verdict: 'reports', reports: [] });
  });

  it('knows no final status by half a word', () => {
    expect(termiiStatus('DELIVERED | Message delivered to handset').state).toBe('delivered');
    expect(termiiStatus('Not delivered').state).toBe('failed');
  });
});
