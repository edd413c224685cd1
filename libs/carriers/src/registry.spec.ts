import { describe, expect, it } from '@jest/globals';
import { CallbackEntryPoints } from './callback-entry-points.js';
import { callbackSecretOf } from './callback-secret.js';
import type { CarrierAccount } from './carrier.js';
import { accountFrom, builtInAccounts, createEmailProviders, createProviders } from './registry.js';
import { SIMULATOR_NAMES } from './simulator/simulator.carrier.js';

const SECRET = 'path-secret-0123456789';
const context = { callbackBaseUrl: 'https://svc.example.com', callbackSecret: SECRET };

const twilio = (id: string, authToken = 'token', more = {}): CarrierAccount =>
  accountFrom('twilio', { accountSid: `AC${'0'.repeat(32)}`, authToken, ...more }, { id });
const africasTalking = accountFrom('africas_talking', { username: 'acme', apiKey: 'key' });

describe('the registry', () => {
  it('the registry creates every account that can submit, two of one carrier too', async () => {
    expect((await createProviders([], context)).size).toBe(0);
    const accounts = [
      twilio('twilio'),
      twilio('twilio_eu'),
      twilio('twilio_half', ''),
      africasTalking,
      ...builtInAccounts(),
    ];
    const providers = await createProviders(accounts, context);
    const names = ['twilio', 'twilio_eu', 'africas_talking', ...SIMULATOR_NAMES];
    expect([...providers.keys()]).toEqual(names);
    for (const [name, provider] of providers) {
      expect(provider.name).toBe(name);
      await provider.stop();
    }
    expect(providers.get('twilio_eu')?.carrier).toBe('twilio');
  });

  it('the capacity of an account comes from its settings, else from its carrier', async () => {
    const slow = { concurrency: 4, messagesPerSecond: 10 };
    const accounts = [twilio('twilio'), twilio('twilio_slow', 'token', slow)];
    const providers = await createProviders(accounts, context);
    expect(providers.get('twilio')?.capacity).toMatchObject({ messagesPerSecond: null });
    expect(providers.get('twilio_slow')?.capacity).toMatchObject({
      concurrency: 4,
      messagesPerSecond: 10,
    });
  });

  it('further email accounts follow the first one of their carrier', async () => {
    const relay = (id: string) => accountFrom('smtp', { host: 'relay.example' }, { id });
    const keys = { region: 'eu-west-1', accessKeyId: 'key', secretAccessKey: 'secret' };
    const events = { configurationSet: 'set', topicArns: ['arn'] };
    const ses = accountFrom('ses', { ...keys, ...events });
    const providers = await createEmailProviders([relay('smtp'), ses, relay('smtp_eu')], context);
    expect([...providers.keys()]).toEqual(['smtp', 'smtp_eu', 'ses']);
    const { capacity } = providers.get('smtp')!;
    expect(capacity).toMatchObject({ concurrency: 20, waitingMax: 60, perDomain: 20 });
  });
});

describe('callback entry points', () => {
  const open = (...accounts: CarrierAccount[]) => CallbackEntryPoints.of(accounts, [SECRET]);

  it('decisions 24: a callback entry point opens to the secret of its account and to no other', async () => {
    const entryPoints = await open(twilio('twilio'), twilio('twilio_eu'), africasTalking);
    const own = callbackSecretOf(SECRET, 'twilio', 'twilio');
    expect(entryPoints.check('twilio', own)).toMatchObject({ verdict: 'admitted' });
    const wrong = { verdict: 'refused', cause: 'wrong_secret' };
    expect(entryPoints.check('africas_talking', own)).toMatchObject(wrong);
    expect(entryPoints.check('twilio_eu', own)).toMatchObject(wrong);
    expect(entryPoints.check('twilio', '')).toMatchObject(wrong);
  });

  it('an entry point opens to two secrets, and returns which one was used', async () => {
    const NEXT = 'next-secret-0123456789';
    const entryPoints = await CallbackEntryPoints.of([twilio('twilio')], [NEXT, SECRET]);
    const check = (secret: string) =>
      entryPoints.check('twilio', callbackSecretOf(secret, 'twilio', 'twilio'));
    expect(check(NEXT)).toMatchObject({ verdict: 'admitted', bySecond: false });
    expect(check(SECRET)).toMatchObject({ verdict: 'admitted', bySecond: true });
    expect(check(`${NEXT},${SECRET}`)).toMatchObject({ verdict: 'refused' });
    for (const secret of [NEXT, SECRET]) {
      expect(entryPoints.check('twilio', secret)).toMatchObject({ cause: 'wrong_secret' });
    }
  });

  it('an account that is not configured has no entry point', async () => {
    const entryPoints = await open(twilio('twilio'));
    for (const name of ['vonage', '__proto__', 'constructor', '']) {
      expect(entryPoints.check(name, SECRET)).toMatchObject({ cause: 'unknown_account' });
    }
    const without = await CallbackEntryPoints.of([twilio('twilio'), africasTalking], []);
    expect(without.check('twilio', '')).toMatchObject({ cause: 'unknown_account' });
  });

  it('an account without the secret of its signatures has no entry point', async () => {
    const entryPoints = await open(twilio('twilio', ''));
    expect(entryPoints.check('twilio', callbackSecretOf(SECRET, 'twilio', 'twilio'))).toMatchObject(
      {
        cause: 'unknown_account',
      },
    );
  });
});
