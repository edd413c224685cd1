import { describe, expect, it } from '@jest/globals';
import { ProviderHealth } from './provider-health.policy.js';

describe('provider health', () => {
  const call = (health: ProviderHealth, count: number, isFailing: boolean, now: number) => {
    for (let n = 0; n < count; n += 1) health.record(isFailing ? 'network_error' : null, now);
  };

  it('opens at half of at least twenty within thirty seconds', () => {
    const health = new ProviderHealth();
    call(health, 10, false, 0);
    call(health, 9, true, 1_000);
    expect(health.isAvailable(1_000)).toBe(true);
    call(health, 1, true, 2_000);
    expect(health.isAvailable(2_000)).toBe(false);
  });

  it('forgets what is older than the window', () => {
    const health = new ProviderHealth();
    call(health, 19, true, 0);
    call(health, 1, true, 31_000);
    expect(health.isAvailable(31_000)).toBe(true);
  });

  it('opens at once when the provider refuses us, and not for what numbers are to blame for', () => {
    const health = new ProviderHealth();
    for (let n = 0; n < 100; n += 1) health.record('invalid_number', n);
    expect(health.isAvailable(100)).toBe(true);
    expect(health.record('provider_rejected', 100)).toBe(true);
    expect(health.isAvailable(101)).toBe(false);
  });

  it('lets one probe through after fifteen seconds, whose outcome decides', () => {
    const health = new ProviderHealth();
    health.record('provider_rejected', 0);
    expect(health.isAvailable(14_999)).toBe(false);
    expect(health.isAvailable(15_000)).toBe(true);
    health.begin(15_000);
    expect(health.isAvailable(15_001)).toBe(false);
    health.record('provider_unavailable', 15_100);
    expect(health.isAvailable(20_000)).toBe(false);
    health.begin(30_100);
    health.record(null, 30_200);
    expect(health.isAvailable(30_200)).toBe(true);
  });
});
