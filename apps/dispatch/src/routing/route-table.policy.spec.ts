import { expect, it } from '@jest/globals';
import { DEFAULT_ROUTES, routeOf, withFurtherAccounts } from './route-table.policy.js';

const live = (countryCode: string, network: string | null = null) =>
  routeOf(DEFAULT_ROUTES, { testMode: false, countryCode, network });

it('a route prefers the African carrier in Africa and the other one elsewhere', () => {
  expect(live('NG')).toEqual(['africas_talking', 'twilio']);
  expect(live('CI')).toEqual(['africas_talking', 'twilio']);
  expect(live('US')).toEqual(['twilio', 'africas_talking']);
});

it('further accounts of a carrier come right after its first one, in the order of the settings', () => {
  const accounts = [
    { name: 'twilio', carrier: 'twilio' },
    { name: 'africas_talking', carrier: 'africas_talking' },
    { name: 'twilio_eu', carrier: 'twilio' },
    { name: 'twilio_us', carrier: 'twilio' },
  ];
  const table = withFurtherAccounts(
    { ...DEFAULT_ROUTES, networks: { mtn_ng: ['twilio'] } },
    accounts,
  );
  const live = { testMode: false, network: null };
  const twilio = ['twilio', 'twilio_eu', 'twilio_us'];
  expect(routeOf(table, { ...live, countryCode: 'NG' })).toEqual(['africas_talking', ...twilio]);
  expect(routeOf(table, { ...live, countryCode: 'US' })).toEqual([...twilio, 'africas_talking']);
  expect(routeOf(table, { ...live, countryCode: 'NG', network: 'mtn_ng' })).toEqual(twilio);
});

it('a route ends with the accounts of carriers that it does not name', () => {
  const accounts = ['vonage', 'twilio', 'vonage_eu', 'infobip'].map((name) => ({
    name,
    carrier: name.replace('_eu', ''),
  }));
  const table = withFurtherAccounts({ ...DEFAULT_ROUTES, networks: { mtn_ng: [] } }, accounts);
  const live = { testMode: false, network: null };
  const last = ['vonage', 'vonage_eu', 'infobip'];
  const inAfrica = routeOf(table, { ...live, countryCode: 'NG' });
  expect(inAfrica).toEqual(['africas_talking', 'twilio', ...last]);
  const elsewhere = routeOf(table, { ...live, countryCode: 'US' });
  expect(elsewhere).toEqual(['twilio', 'africas_talking', ...last]);
  expect(routeOf(table, { ...live, countryCode: 'NG', network: 'mtn_ng' })).toEqual([]);
});

it('a route can be overridden for a network', () => {
  const table = { ...DEFAULT_ROUTES, networks: { mtn_ng: ['twilio'] } };
  const destination = { testMode: false, countryCode: 'NG', network: 'mtn_ng' };
  expect(routeOf(table, destination)).toEqual(['twilio']);
});

it('a test message goes to the simulator only', () => {
  const route = routeOf(DEFAULT_ROUTES, { testMode: true, countryCode: 'NG', network: 'mtn_ng' });
  expect(route.every((name) => name.startsWith('simulator_'))).toBe(true);
});
