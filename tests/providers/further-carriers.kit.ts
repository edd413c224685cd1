/**
 * Accounts of the carriers, and what each code means by these tests' reading of the carriers'
 * documentation.
 */
import type { Reason } from '@watchword/contracts';

export interface Subject {
  readonly settings: Readonly<Record<string, string>>;
  /** Settings that no error shows. A stranger does not know the first. */
  readonly secrets: readonly string[];
  /** What the simulator can answer, by this test's reading of the carrier's table. */
  readonly refusals: ReadonlyArray<readonly [code: string, reason: Reason]>;
  readonly unknownCode: string;
  /** Reasons by the digits of magic numbers that are refused. */
  readonly refused: Readonly<Record<number, Reason>>;
  /** Reasons by the digits of magic numbers that are accepted. Null where they are delivered. */
  readonly reported: Readonly<Record<number, Reason | null>>;
  /** Whether the hand-over of a message is reported first. */
  readonly reportsHandover: boolean;
  /** What reports have besides the carrier's id. */
  readonly reportsHave: ReadonlyArray<'reference' | 'number'>;
}

export const SUBJECTS: Record<string, Subject> = {
  vonage: {
    settings: {
      apiKey: 'a1b2c3d4',
      apiSecret: 'vonage-secret',
      signatureSecret: 'vonage-signature-secret',
      signatureMethod: 'sha512',
    },
    secrets: ['apiSecret', 'signatureSecret'],
    refusals: [
      ['1', 'throttled'],
      ['2', 'message_invalid'],
      ['4', 'provider_rejected'],
      ['5', 'provider_unavailable'],
      ['6', 'no_route'],
      ['7', 'opted_out'],
      ['9', 'provider_rejected'],
      ['12', 'message_invalid'],
      ['15', 'sender_id_rejected'],
      ['29', 'provider_rejected'],
      ['33', 'unknown_subscriber'],
    ],
    unknownCode: '98',
    refused: {
      15: 'sender_id_rejected',
      16: 'no_route',
      20: 'opted_out',
      22: 'no_route',
      25: 'message_invalid',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    reported: {
      0: null,
      10: 'unknown_subscriber',
      11: 'absent_subscriber',
      12: 'handset_error',
      13: 'subscriber_barred',
      14: 'content_rejected',
      17: 'network_error',
      18: 'carrier_rejected',
      19: 'expired',
      21: 'opted_out',
      23: 'unknown_error',
      24: 'unknown_error',
    },
    reportsHandover: false,
    reportsHave: ['reference', 'number'],
  },
  infobip: {
    settings: { apiKey: 'infobip-key' },
    secrets: ['apiKey'],
    refusals: [
      ['status 6', 'no_route'],
      ['status 8', 'invalid_number'],
      ['status 10', 'dnd_active'],
      ['status 11', 'sender_id_rejected'],
      ['status 12', 'provider_rejected'],
      ['status 14', 'opted_out'],
      ['status 19', 'no_route'],
      ['status 20', 'throttled'],
      ['status 21', 'provider_unavailable'],
      ['status 25', 'message_invalid'],
      ['status 52', 'invalid_number'],
      ['status 87', 'fraud_blocked'],
      ['status 100', 'carrier_rejected'],
    ],
    unknownCode: 'status 9999',
    refused: {
      15: 'sender_id_rejected',
      16: 'no_route',
      18: 'carrier_rejected',
      20: 'opted_out',
      24: 'fraud_blocked',
      25: 'invalid_number',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    reported: {
      0: null,
      10: 'unknown_subscriber',
      11: 'absent_subscriber',
      12: 'handset_error',
      13: 'subscriber_barred',
      14: 'content_rejected',
      17: 'network_error',
      19: 'expired',
      21: 'dnd_active',
      22: 'subscriber_barred',
      23: 'unknown_error',
    },
    reportsHandover: true,
    reportsHave: ['reference', 'number'],
  },
  termii: {
    settings: { apiKey: 'TLkey-of-the-account', secretKey: 'termii-secret-key' },
    secrets: ['apiKey', 'secretKey'],
    refusals: [
      ['Unauthorized', 'provider_rejected'],
      ['Your account is not active', 'provider_rejected'],
      ['Insufficient balance', 'provider_rejected'],
      ['Device not found', 'provider_rejected'],
      ['Invalid Sender Id', 'sender_id_rejected'],
      ['You are not set up on this route', 'sender_id_rejected'],
      ['Your device has reached the daily limit', 'throttled'],
      ['Invalid phone number', 'invalid_number'],
    ],
    unknownCode: 'HTTP 405',
    refused: {
      15: 'sender_id_rejected',
      16: 'sender_id_rejected',
      22: 'invalid_number',
      25: 'invalid_number',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    reported: {
      0: null,
      10: 'carrier_rejected',
      11: 'carrier_rejected',
      12: 'carrier_rejected',
      13: 'carrier_rejected',
      14: 'carrier_rejected',
      17: 'carrier_rejected',
      18: 'carrier_rejected',
      19: 'expired',
      // Termii has no opt-outs.
      20: null,
      21: 'dnd_active',
      23: 'unknown_error',
      24: 'carrier_rejected',
    },
    reportsHandover: true,
    reportsHave: ['number'],
  },
  plivo: {
    settings: { authId: 'MA000000000000000001', authToken: 'plivo-token' },
    secrets: ['authToken', 'authId'],
    refusals: [
      ['HTTP 402', 'provider_rejected'],
      ['HTTP 403', 'no_route'],
      ['HTTP 404', 'provider_rejected'],
    ],
    unknownCode: 'HTTP 405',
    refused: {
      15: 'sender_id_rejected',
      16: 'no_route',
      25: 'invalid_number',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    reported: {
      0: null,
      10: 'unknown_subscriber',
      11: 'absent_subscriber',
      12: 'network_error',
      13: 'carrier_rejected',
      14: 'content_rejected',
      17: 'network_error',
      18: 'carrier_rejected',
      19: 'expired',
      20: 'opted_out',
      21: 'carrier_rejected',
      22: 'invalid_number',
      23: 'unknown_error',
      24: 'fraud_blocked',
    },
    reportsHandover: true,
    reportsHave: ['reference'],
  },
};
