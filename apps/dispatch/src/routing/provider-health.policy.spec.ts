import { expect, it } from '@jest/globals';
import { faultOf, ProviderHealth, SPARE_PROBE_AFTER_MS } from './provider-health.policy.js';

const call = (health: ProviderHealth, count: number, isFailing: boolean, now: number) => {
  for (let n = 0; n < count; n += 1)
    health.record(`${n}`, faultOf(isFailing ? 'network_error' : null), now);
};

it('the circuit of a provider opens when half of at least twenty calls in thirty seconds fail', () => {
  const health = new ProviderHealth();
  call(health, 10, false, 0);
  call(health, 9, true, 1_000);
  expect(health.isAvailable(1_000)).toBe(true);
  call(health, 1, true, 2_000);
  expect(health.isAvailable(2_000)).toBe(false);
});

it('the circuit of a provider ignores calls that are older than its window', () => {
  const health = new ProviderHealth();
  call(health, 19, true, 0);
  call(health, 1, true, 31_000);
  expect(health.isAvailable(31_000)).toBe(true);
});

it('the circuit of a provider opens at once when it refuses the platform, and never for faults of numbers', () => {
  const health = new ProviderHealth();
  for (let n = 0; n < 100; n += 1) health.record('m', faultOf('invalid_number'), n);
  expect(health.isAvailable(100)).toBe(true);
  expect(health.record('m', faultOf('provider_rejected'), 100)).toBe(true);
  expect(health.isAvailable(101)).toBe(false);
});

it('the circuit of a provider opens after the given number of faults in a row', () => {
  const health = new ProviderHealth(5);
  call(health, 4, true, 0);
  call(health, 1, false, 1);
  call(health, 4, true, 2);
  expect(health.isAvailable(2)).toBe(true);
  call(health, 1, true, 3);
  expect(health.isAvailable(3)).toBe(false);
});

it('an open circuit lets one message through as a probe after fifteen seconds', () => {
  const health = new ProviderHealth();
  health.record('first', faultOf('provider_rejected'), 0);
  expect(health.isAvailable(14_999)).toBe(false);
  expect(health.admit('early', 14_999)).toBe('sick');
  expect(health.isAvailable(15_000)).toBe(true);
  expect(health.admit('probe', 15_000)).toBe('probe');
  expect(health.admit('probe', 15_001)).toBe('probe');
  for (let n = 0; n < 256; n += 1) expect(health.admit(`late-${n}`, 15_001)).toBe('sick');
  expect(health.isAvailable(15_001)).toBe(false);
  health.record('probe', faultOf('provider_unavailable'), 15_100);
  expect(health.isAvailable(20_000)).toBe(false);
  expect(health.admit('next', 30_100)).toBe('probe');
  health.record('next', null, 30_200);
  expect(health.admit('later', 30_200)).toBe('well');
});

it('only the outcome of the probe closes or reopens a circuit', () => {
  const health = new ProviderHealth();
  health.record('first', faultOf('provider_rejected'), 0);
  health.record('old', null, 1_000);
  expect(health.admit('a', 1_000)).toBe('sick');
  expect(health.admit('probe', 15_000)).toBe('probe');
  health.record('old', null, 15_001);
  health.record('other', faultOf('network_error'), 15_002);
  expect(health.admit('a', 15_003)).toBe('sick');
  health.record('probe', null, 15_004);
  expect(health.admit('a', 15_005)).toBe('well');
});

it('a circuit waits for another probe when the message was at fault or was not sent', () => {
  const health = new ProviderHealth();
  health.record('first', faultOf('provider_rejected'), 0);
  expect(health.admit('bad', 15_000)).toBe('probe');
  health.record('bad', faultOf('invalid_number'), 15_100);
  health.reserve('lost', 15_101);
  expect(health.admit('next', 30_100)).toBe('sick');
  expect(health.admit('next', 30_101)).toBe('probe');
  expect(health.admit('lost', 30_102)).toBe('sick');
});

it('a circuit waits for the outcome of a slow probe', () => {
  const health = new ProviderHealth();
  health.record('first', faultOf('provider_rejected'), 0);
  expect(health.admit('slow', 15_000)).toBe('probe');
  expect(health.admit('second', 31_000)).toBe('sick');
  expect(health.isAvailable(31_000)).toBe(false);
  expect(health.needsProbe(31_000 + SPARE_PROBE_AFTER_MS)).toBe(false);
  health.record('slow', null, 40_000);
  expect(health.admit('second', 40_000)).toBe('well');
});
