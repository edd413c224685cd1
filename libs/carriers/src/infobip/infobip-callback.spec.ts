import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract } from '../provider-contract.kit.js';
import type { CallbackReader, CarrierReport } from '../provider.port.js';
import { callbackOf, fixturesOf } from '../adapter.kit.js';
import { readInfobipCallback } from './callback.js';

const ID = `${SAMPLE.messageId}-1`;

type Json = Record<string, unknown>;

const readFixture = fixturesOf(import.meta.url);
const fixture = (name: string): Json => JSON.parse(readFixture(name));

const REPORT = fixture('report.json');
const INBOUND = fixture('inbound.json');

const resultsOf = (...results: unknown[]) => callbackOf(JSON.stringify({ results }));

/** A callback with this status, and with this error where there is one. */
function reportedAs(groupId: number, id: number, errorId = 0, changes: Json = {}) {
  const status = { ...(REPORT.status as Json), groupId, id, description: 'Status' };
  const error = { ...(REPORT.error as Json), id: errorId, description: 'Error' };
  return resultsOf({ ...REPORT, status, error, ...changes });
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: SAMPLE.messageId,
  attempt: 1,
  providerMessageId: ID,
  destination: '+447700900001',
  state: 'delivered',
  reason: null,
  rawCode: 'status 5',
  rawMessage: null,
  network: 'o2_gb',
  ...changes,
});

const failed = (reason: CarrierReport['reason'], rawCode: string, rawMessage = 'Status') =>
  report({ state: 'failed', reason, rawCode, rawMessage });

const stop = {
  from: '+447700900001',
  to: '447700900002',
  body: 'STOP please',
  providerMessageId: '817790313235066447',
};

const delivered = resultsOf(REPORT);
const readerOf =
  (username: string, password: string): CallbackReader =>
  (callback) =>
    readInfobipCallback({ username, password }, callback);
const read = readerOf('', '');

/** Ids of Infobip's status group 5, and what they mean for us. */
const REJECTIONS = [
  [6, 'no_route'],
  [8, 'invalid_number'],
  [10, 'dnd_active'],
  [11, 'sender_id_rejected'],
  [12, 'provider_rejected'],
  [13, 'sender_id_rejected'],
  [14, 'opted_out'],
  [17, 'provider_rejected'],
  [18, 'provider_rejected'],
  [19, 'no_route'],
  [20, 'throttled'],
  [21, 'provider_unavailable'],
  [24, 'message_invalid'],
  [25, 'message_invalid'],
  [51, 'invalid_number'],
  [52, 'invalid_number'],
  [87, 'fraud_blocked'],
  [100, 'carrier_rejected'],
] as const;

/** Ids of errors of a failed message, and what they mean for us. */
const ERRORS = [
  [1, 'unknown_subscriber'],
  [5, 'unknown_subscriber'],
  [6, 'absent_subscriber'],
  [8, 'absent_subscriber'],
  [9, 'unknown_subscriber'],
  [11, 'subscriber_barred'],
  [12, 'handset_error'],
  [13, 'subscriber_barred'],
  [27, 'absent_subscriber'],
  [31, 'handset_error'],
  [32, 'handset_error'],
  [33, 'handset_error'],
  [34, 'network_error'],
  [255, 'unknown_error'],
  [256, 'handset_error'],
  [260, 'network_error'],
  [345, 'no_route'],
  [351, 'invalid_number'],
  [352, 'invalid_number'],
  [355, 'message_invalid'],
  [368, 'sender_id_rejected'],
  [375, 'sender_id_rejected'],
  [502, 'absent_subscriber'],
  [541, 'throttled'],
  [542, 'throttled'],
  [561, 'content_rejected'],
  [566, 'content_rejected'],
  [568, 'content_rejected'],
  [569, 'content_rejected'],
  [581, 'subscriber_barred'],
  [603, 'opted_out'],
  [607, 'content_rejected'],
  [608, 'fraud_blocked'],
  [629, 'subscriber_barred'],
  [2048, 'network_error'],
  [2049, 'unknown_subscriber'],
  [2050, 'dnd_active'],
  [2051, 'content_rejected'],
  [3041, 'unknown_subscriber'],
  [4098, 'expired'],
  [4101, 'expired'],
  [4103, 'throttled'],
  [4104, 'throttled'],
  [5492, 'carrier_rejected'],
] as const;

testCallbackContract('Infobip', {
  read,
  inbound: [{ title: 'STOP', callback: resultsOf(INBOUND), message: stop }],
  good: [
    { title: 'a delivered message', callback: delivered, report: report({}) },
    ...REJECTIONS.map(([id, reason]) => ({
      title: `the rejection ${id}`,
      callback: reportedAs(5, id),
      report: failed(reason, `status ${id}`),
    })),
    ...ERRORS.map(([id, reason]) => ({
      title: `the error ${id}`,
      callback: reportedAs(2, 9, id),
      report: failed(reason, `error ${id}`, 'Error'),
    })),
    {
      title: 'an unknown error',
      callback: reportedAs(2, 9, 9999),
      report: failed('unknown_error', 'error 9999', 'Error'),
    },
    {
      title: 'an unknown rejection',
      callback: reportedAs(5, 999),
      report: failed('unknown_error', 'status 999'),
    },
    ...[4, 9, 31].map((id) => ({
      title: `the failure ${id} without an error`,
      callback: reportedAs(2, id),
      report: failed('carrier_rejected', `status ${id}`),
    })),
    {
      title: 'an expired message, also with an error',
      callback: reportedAs(4, 15, 27),
      report: failed('expired', 'status 15', 'Error'),
    },
    ...(
      [
        [0, 0],
        [1, 7],
        [1, 26],
        [3, 2],
        [4, 29],
        [5, 23],
      ] as const
    ).map(([group, id]) => ({
      title: `the status ${id} of the group ${group}, as nothing final`,
      callback: reportedAs(group, id),
      report: report({ state: 'enroute', rawCode: `status ${id}` }),
    })),
    {
      title: 'a group that does not exist yet, as nothing final',
      callback: reportedAs(9, 9),
      report: report({ state: 'enroute', rawCode: 'group 9 status 9' }),
    },
    {
      title: 'a report without our reference, of an unknown network',
      callback: reportedAs(3, 5, 0, { callbackData: null, mccMnc: null }),
      report: report({ messageId: null, attempt: null, network: null }),
    },
    {
      title: 'a text with a number in it',
      callback: reportedAs(2, 9, 1, { error: { id: 1, description: 'No 447700900001' } }),
      report: failed('unknown_subscriber', 'error 1', 'No •••••'),
    },
  ],
  // Without credentials there are no forgeries.
  forged: [],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no results', callback: resultsOf() },
    { title: 'no report', callback: resultsOf({ ...REPORT, messageId: 'a b' }, null, 42) },
    { title: 'a message without a sender', callback: resultsOf({ ...INBOUND, from: null }) },
    { title: 'no body', callback: { ...delivered, rawBody: '' } },
  ],
});

const credentials = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const bearing = (authorization: string) => ({ ...delivered, headers: { authorization } });

testCallbackContract('Infobip with a subscription', {
  read: readerOf('infobip', 'päss'),
  good: [
    {
      title: 'a report with its credentials',
      callback: bearing(credentials('infobip:päss')),
      report: report({}),
    },
  ],
  forged: [
    { title: 'no credentials', callback: delivered },
    { title: 'another password', callback: bearing(credentials('infobip:pass')) },
    { title: 'another scheme', callback: bearing('Bearer infobip') },
  ],
  malformed: [],
});

describe.each([
  ['only a password', '', 'päss'],
  ['only a user name', 'infobip', ''],
])('Infobip with %s', (_title, username, password) => {
  it('takes nothing without a proof', () => {
    expect(readerOf(username, password)(delivered)).toEqual({ verdict: 'forged' });
  });
});

describe('Infobip’s batches', () => {
  it('hold a report of each message, and what cannot be read is left out', () => {
    const other = { ...REPORT, messageId: `${SAMPLE.messageId}-2`, callbackData: '' };
    const result = read(resultsOf(REPORT, { messageId: ID }, other, null));
    expect(result).toEqual({
      verdict: 'reports',
      reports: [
        report({}),
        report({ messageId: null, attempt: null, providerMessageId: `${SAMPLE.messageId}-2` }),
      ],
      isPartial: true,
    });
  });

  it('hold several inbound messages', () => {
    const other = { ...INBOUND, messageId: '2' };
    expect(read(resultsOf(INBOUND, other))).toEqual({
      verdict: 'inbound',
      messages: [stop, { ...stop, providerMessageId: '2' }],
    });
  });
});
