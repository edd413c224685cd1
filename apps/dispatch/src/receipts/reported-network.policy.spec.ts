import { describe, expect, it } from '@jest/globals';
import type { DeliveryReport } from '@watchword/contracts';
import { type Addressed, reportedNetwork } from './reported-network.policy.js';

const NUMBER = '+2348031234567';
const AT = new Date('2026-03-02T10:00:00.000Z');

const message = (change: Partial<Addressed> = {}): Addressed => ({
  testMode: false,
  destination: NUMBER,
  countryCode: 'NG',
  ...change,
});

const report = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  report_id: 'r',
  provider: 'africas_talking',
  message_id: null,
  provider_message_id: 'a',
  state: 'delivered',
  reason: null,
  raw_code: null,
  raw_message: null,
  network: 'airtel_ng',
  received_at: AT.toISOString(),
  ...change,
});

const airtel = { portedTo: 'airtel_ng', at: AT };

describe('the network that a report proves', () => {
  it('a number is ported where its network is not the one of its prefix', () => {
    expect(reportedNetwork(message(), report())).toEqual(airtel);
    expect(reportedNetwork(message(), report({ destination: NUMBER }))).toEqual(airtel);
    const unlisted = { destination: '+2349991234567' };
    expect(reportedNetwork(message(unlisted), report())).toEqual(airtel);
  });

  it('a number is not ported where the report agrees with its prefix', () => {
    const agreeing = report({ network: 'mtn_ng' });
    expect(reportedNetwork(message(), agreeing)).toEqual({ portedTo: null, at: AT });
  });

  it.each<[string, Partial<Addressed>, Partial<DeliveryReport>]>([
    ['a message of test mode', { testMode: true }, {}],
    ['a report without a network', {}, { network: null }],
    ['an unknown network', {}, { network: 'nobody_ng' }],
    ['a network of another country', {}, { network: 'airtel_ke' }],
    ['a report of another number', {}, { destination: '+2348031234568' }],
    ['a failure, which may name the wrong network', {}, { state: 'failed' }],
    ['a message on its way', {}, { state: 'enroute' }],
  ])('%s proves no network', (_, addressed, reported) => {
    expect(reportedNetwork(message(addressed), report(reported))).toBeUndefined();
  });
});
