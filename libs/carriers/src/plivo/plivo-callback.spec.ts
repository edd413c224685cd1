import { expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport } from '../provider.port.js';
import { callbackOf, fixturesOf } from '../adapter.kit.js';
import { readPlivoCallback } from './callback.js';
import { plivoSignatureV2, plivoSignatureV3 } from './signature.js';
import { plivoState } from './status-map.js';

const TOKEN = 'token-of-the-account';
const UUID = 'db3ce55a-7f1d-11e1-8ea7-1231380bc196';
const SECOND_UUID = 'db3ce55a-7f1d-11e1-8ea7-1231380bc197';
const MID = SAMPLE.messageId;
const REFERENCE = `mid=${MID}&attempt=1`;
const CALLBACK_URL = 'https://svc.example.com/callbacks/plivo/path-secret-0123456789';

const fixture = fixturesOf(import.meta.url);

const NONCE = '12345678901234567890';
const URL_CALLED = `${CALLBACK_URL}?${REFERENCE}`;

function signatureOf(rawBody: string, url = URL_CALLED, token = TOKEN): string {
  return plivoSignatureV3(token, { url, fields: new URLSearchParams(rawBody), nonce: NONCE })!;
}

const headersWith = (signature: string) => ({
  'x-plivo-signature-v3': signature,
  'x-plivo-signature-v3-nonce': NONCE,
});

const v2Headers = {
  'x-plivo-signature-v2': plivoSignatureV2(TOKEN, {
    url: URL_CALLED,
    fields: new URLSearchParams(),
    nonce: NONCE,
  })!,
  'x-plivo-signature-v2-nonce': NONCE,
};

function signed(rawBody: string): CarrierCallback {
  const query = { mid: MID, attempt: '1' };
  return callbackOf(rawBody, {
    url: URL_CALLED,
    headers: headersWith(signatureOf(rawBody)),
    query,
  });
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: MID,
  attempt: 1,
  providerMessageId: UUID,
  state: 'delivered',
  reason: null,
  rawCode: 'delivered',
  rawMessage: null,
  network: null,
  ...changes,
});

const delivered = signed(fixture('callback-delivered.form'));
const failedWith = (code: string) =>
  signed(fixture('callback-undelivered.form').replace('ErrorCode=80', `ErrorCode=${code}`));
const inboundForm = `MessageUUID=${UUID}&From=447700900001&To=14155550100&Type=sms&Text=STOP`;

testCallbackContract('Plivo', {
  read: (callback) => readPlivoCallback(TOKEN, callback),
  inbound: [
    {
      title: 'STOP',
      callback: signed(`${inboundForm}&MessageIntent=optout&Units=1`),
      message: { from: '+447700900001', to: '14155550100', body: 'STOP', providerMessageId: UUID },
    },
    {
      title: 'STOP with signature version 2, as Plivo signs messaging (plivo 4.79.0)',
      callback: { ...signed(inboundForm), headers: v2Headers },
      message: { from: '+447700900001', to: '14155550100', body: 'STOP', providerMessageId: UUID },
    },
  ],
  good: [
    {
      title: 'a delivered message, with its network',
      callback: delivered,
      report: report({ network: 'mtn_ng' }),
    },
    ...(
      [
        ['10', 'message_invalid'],
        ['20', 'network_error'],
        ['30', 'content_rejected'],
        ['40', 'sender_id_rejected'],
        ['50', 'invalid_number'],
        ['60', 'throttled'],
        ['70', 'unknown_subscriber'],
        ['80', 'absent_subscriber'],
        ['90', 'no_route'],
        ['100', 'carrier_rejected'],
        ['110', 'message_invalid'],
        ['200', 'opted_out'],
        ['201', 'no_route'],
        ['300', 'provider_unavailable'],
        ['420', 'expired'],
        ['450', 'fraud_blocked'],
        ['1000', 'unknown_error'],
      ] as const
    ).map(([code, reason]) => ({
      title: `the error ${code}`,
      callback: failedWith(code),
      report: report({ state: 'failed', reason, rawCode: code }),
    })),
    {
      title: 'an unknown error',
      callback: failedWith('9999'),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: '9999' }),
    },
    ...['failed', 'undelivered', 'rejected'].map((status) => ({
      title: `${status} without an error`,
      callback: signed(`MessageUUID=${UUID}&Status=${status}&ErrorCode=`),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: status }),
    })),
    ...['queued', 'sent', 'teleported'].map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: signed(`MessageUUID=${UUID}&Status=${status}&ErrorCode=`),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    {
      title: 'the first of two parts',
      callback: signed(
        `MessageUUID=${UUID}&ParentMessageUUID=${UUID}&PartInfo=1+of+2&Status=delivered`,
      ),
      report: report({ part: { id: '1', count: 2 } }),
    },
    {
      title: 'the second of two parts, by the id of the message',
      callback: signed(
        `MessageUUID=${SECOND_UUID}&ParentMessageUUID=${UUID}&PartInfo=2+of+2&Status=failed&ErrorCode=70`,
      ),
      report: report({
        part: { id: '2', count: 2 },
        state: 'failed',
        reason: 'unknown_subscriber',
        rawCode: '70',
      }),
    },
    {
      title: 'a report with signature version 2, as Plivo signs messaging (plivo 4.79.0)',
      callback: { ...delivered, headers: v2Headers },
      report: report({ network: 'mtn_ng' }),
    },
    {
      title: 'a callback with something else for our id',
      callback: { ...delivered, query: { mid: "1' or 1=1" } },
      report: report({ messageId: null, attempt: null, network: 'mtn_ng' }),
    },
  ],
  forged: [
    {
      title: 'a signature of version 2 for another path',
      callback: { ...delivered, url: `${CALLBACK_URL}0?${REFERENCE}`, headers: v2Headers },
    },
    { title: 'no signature', callback: { ...delivered, headers: {} } },
    {
      title: 'another token’s signature',
      callback: {
        ...delivered,
        headers: headersWith(signatureOf(delivered.rawBody, URL_CALLED, 'another')),
      },
    },
    {
      title: 'a changed field',
      callback: { ...delivered, rawBody: delivered.rawBody.replace('delivered', 'failed') },
    },
    { title: 'an empty request', callback: { ...delivered, headers: {}, rawBody: '' } },
  ],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no message', callback: signed('Status=delivered') },
    { title: 'no status and no text', callback: signed(`MessageUUID=${UUID}`) },
    {
      title: 'an inbound message without a sender',
      callback: signed(inboundForm.replace('447700900001', '')),
    },
  ],
});

it('knows every final status', () => {
  const states = ['delivered', 'read', 'failed', 'undelivered', 'rejected'].map(plivoState);
  expect(states).toEqual(['delivered', 'delivered', 'failed', 'failed', 'failed']);
});
