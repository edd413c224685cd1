import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ROUTES, routeOf } from './route-table.policy.js';

describe('routes', () => {
  const live = (countryCode: string, network: string | null = null) =>
    routeOf(DEFAULT_ROUTES, { testMode: false, countryCode, network });

  it('prefer the African carrier in Africa and the other one elsewhere', () => {
    expect(live('NG')).toEqual(['africas_talking', 'twilio']);
    expect(live('CI')).toEqual(['africas_talking', 'twilio']);
    expect(live('US')).toEqual(['twilio', 'africas_talking']);
  });

  it('can be overridden for a network', () => {
    const table = { ...DEFAULT_ROUTES, networks: { mtn_ng: ['twilio'] } };
    const destination = { testMode: false, countryCode: 'NG', network: 'mtn_ng' };
    expect(routeOf(table, destination)).toEqual(['twilio']);
  });

  it('never leave the simulator in test mode', () => {
    const route = routeOf(DEFAULT_ROUTES, { testMode: true, countryCode: 'NG', network: 'mtn_ng' });
    expect(route.every((name) => name.startsWith('simulator_'))).toBe(true);
  });
});
