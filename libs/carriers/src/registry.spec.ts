import { describe, expect, it } from '@jest/globals';
import {
  createCallbackReaders,
  createProviders,
  PROVIDER_NAMES,
  publicProviderName,
  SIMULATOR_NAMES,
} from './registry.js';

const callback = { method: 'POST', url: 'https://a.example/', headers: {}, query: {}, rawBody: '' };

describe('the registry', () => {
  it('has the providers that have settings', async () => {
    expect(createProviders({}).size).toBe(0);
    const providers = createProviders({
      twilio: {
        accountSid: 'AC00000000000000000000000000000001',
        authToken: 'token',
        baseUrl: 'https://api.twilio.com',
        defaultSenderId: 'Acme',
        callbackBaseUrl: 'https://svc.example.com',
        callbackSecret: 'path-secret-0123456789',
      },
      africasTalking: {
        username: 'acme',
        apiKey: 'key',
        baseUrl: 'https://api.africastalking.com',
        defaultSenderId: 'Acme',
      },
      simulator: { onReport: () => {} },
    });
    const names = ['twilio', 'africas_talking', 'simulator_1', 'simulator_2', 'simulator_3'];
    expect([...providers.keys()]).toEqual(names);
    expect(new Set(names.map(publicProviderName))).toEqual(new Set(PROVIDER_NAMES));
    for (const [name, provider] of providers) {
      expect(provider.name).toBe(name);
      await provider.close();
    }
  });

  it('makes three simulators, which are one to the public', () => {
    const providers = createProviders({ simulator: { onReport: () => {} } });
    expect([...providers.keys()]).toEqual(SIMULATOR_NAMES);
    expect(SIMULATOR_NAMES.map(publicProviderName)).toEqual(Array(3).fill('simulator'));
    expect(publicProviderName('africas_talking')).toBe('africas_talking');
  });

  it('reads the callbacks of carriers that can call back', () => {
    const readers = createCallbackReaders({ twilioAuthToken: 'token' });
    expect([...readers.keys()]).toEqual(['twilio', 'africas_talking']);
    expect(readers.get('twilio')?.(callback)).toEqual({ verdict: 'forged' });
    expect(readers.get('africas_talking')?.(callback)).toEqual({ verdict: 'malformed' });
  });

  it('does not read Twilio’s callbacks without its token', () => {
    expect([...createCallbackReaders({ twilioAuthToken: '' }).keys()]).toEqual(['africas_talking']);
  });
});
