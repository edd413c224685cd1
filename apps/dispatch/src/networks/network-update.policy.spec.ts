import { describe, expect, it } from '@jest/globals';
import type { DeliveryReport } from '@watchword/contracts';
import { type Addressed, type StoredNetwork, networkUpdateOf } from './network-update.policy.js';

const NUMBER = '+2348031234567';
const AT = new Date('2026-03-02T10:00:00.000Z');
const HOUR_MS = 3_600_000;

const message = (change: Partial<Addressed> = {}): Addressed => ({
  testMode: false,
  destination: NUMBER,
  countryCode: 'NG',
  network: 'mtn_ng',
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

const kept = (network: string, agoMs: number): StoredNetwork => ({
  network,
  learnedAt: new Date(AT.getTime() - agoMs),
});

const airtel = { destination: NUMBER, network: 'airtel_ng', at: AT };
const ended = { ...airtel, network: null };

describe('what a report teaches about a number', () => {
  it('is its network, where that is not the one of its prefix', () => {
    expect(networkUpdateOf(message(), report(), undefined)).toEqual(airtel);
    expect(networkUpdateOf(message(), report({ destination: NUMBER }), undefined)).toEqual(airtel);
    expect(networkUpdateOf(message(), report(), kept('glo_ng', HOUR_MS))).toEqual(airtel);
  });

  it('is its network, where the prefix tells none', () => {
    const unlisted = { destination: '+2349991234567', network: null };
    const networkUpdate = networkUpdateOf(message(unlisted), report(), undefined);
    expect(networkUpdate).toEqual({ ...airtel, destination: unlisted.destination });
  });

  it('is nothing where the prefix told it', () => {
    expect(networkUpdateOf(message(), report({ network: 'mtn_ng' }), undefined)).toBeNull();
  });

  it('is the end of a kept network, once a report agrees with the prefix', () => {
    const agreeing = report({ network: 'mtn_ng' });
    expect(networkUpdateOf(message(), agreeing, kept('airtel_ng', HOUR_MS))).toEqual(ended);
    expect(networkUpdateOf(message({ network: 'airtel_ng' }), agreeing, undefined)).toEqual(ended);
  });

  it('is nothing within a day of the same report, and a renewal after it', () => {
    const byIt = message({ network: 'airtel_ng' });
    expect(networkUpdateOf(byIt, report(), kept('airtel_ng', 23 * HOUR_MS))).toBeNull();
    expect(networkUpdateOf(byIt, report(), kept('airtel_ng', 24 * HOUR_MS))).toEqual(airtel);
  });

  it.each<[string, Partial<Addressed>, Partial<DeliveryReport>]>([
    ['a message of test mode', { testMode: true }, {}],
    ['a report without a network', {}, { network: null }],
    ['an unknown network', {}, { network: 'nobody_ng' }],
    ['a network of another country', {}, { network: 'airtel_ke' }],
    ['a report of another number', {}, { destination: '+2348031234568' }],
    ['a failure, which may name the wrong network', {}, { state: 'failed' }],
    ['a message on its way', {}, { state: 'enroute' }],
  ])('is nothing by %s', (_, addressed, reported) => {
    expect(networkUpdateOf(message(addressed), report(reported), undefined)).toBeNull();
    const agreeing = report({ network: 'mtn_ng', ...reported });
    expect(networkUpdateOf(message(addressed), agreeing, kept('airtel_ng', HOUR_MS))).toBeNull();
  });
});
