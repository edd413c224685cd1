import { Member, oneOf, SmsAccountSettings, text, url } from '../account-settings.js';
import { systemClock } from '@watchword/contracts';
import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import { knowsVonageState } from './status-map.js';

/** Characters of `callback` that Vonage takes. With a longer one it refuses every submit. */
const CALLBACK_LENGTH_MAX = 100;

/** Requests in a second that Vonage takes of an account without another agreement. */
const REQUESTS_PER_SECOND = 30;

class VonageSettings extends SmsAccountSettings {
  @Member(text(), 'API key of the account at the provider Vonage.', {
    required: true,
    secret: true,
  })
  readonly apiKey: string = '';

  @Member(text(), 'API secret of that account.', { required: true, secret: true })
  readonly apiSecret: string = '';

  @Member(
    text(),
    'Signature secret of that account. Where it is set, only signed callbacks are accepted; ' +
      'Vonage signs them on request.',
    { secret: true, services: ['gateway'] },
  )
  readonly signatureSecret: string = '';

  @Member(
    oneOf('md5hash', 'md5', 'sha1', 'sha256', 'sha512'),
    'Signature method of that account, as its settings at Vonage show it: md5hash is its MD5 hash, the default there; ' +
      'the others are HMACs.',
    { needs: 'signatureSecret', services: ['gateway'], fallbackText: 'md5hash' },
  )
  readonly signatureMethod: string = '';

  @Member(url, 'Where Vonage’s SMS API is.', { simulated: 'address' })
  readonly baseUrl: string = 'https://rest.nexmo.com';
}

export const vonage: Carrier<VonageSettings> = {
  token: 'vonage',
  title: 'Vonage',
  settings: VonageSettings,
  capacity: { concurrency: 64, messagesPerSecond: REQUESTS_PER_SECOND, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['1', '99', 'failed', 'unknown'],
  knowsState: knowsVonageState,
  // A parameter is missing, or invalid.
  platformFaults: ['2', '3'],
  cost: { per: 'segment', stated: 'answer' },
  callback: {
    urlSetBy: 'message',
    signedWith: null,
    signedOnceSet: 'signatureSecret',
    reportsPage: null,
    inboundPage:
      'API Settings, SMS settings: SMS API, Inbound SMS webhooks, with the method GET, POST or ' +
      'POST-JSON',
    async reader({ settings }, { clock = systemClock }) {
      const { readVonageCallback } = await import('./callback.js');
      const { signatureSecret, signatureMethod } = settings;
      const proof = { signatureSecret, signatureMethod, clock };
      return (callback) => readVonageCallback(proof, callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { VonageAdapter } = await import('./vonage.adapter.js');
    const { apiKey, apiSecret, baseUrl } = account.settings;
    const callbackUrl = callbackBaseUrl + callbackPathOf(callbackSecret, account);
    if (callbackUrl.length > CALLBACK_LENGTH_MAX) {
      throw new Error(
        `The callback address of the account ${account.id} has ${callbackUrl.length} characters, ` +
          `and Vonage takes at most ${CALLBACK_LENGTH_MAX}: CALLBACK_BASE_URL is too long.`,
      );
    }
    return new VonageAdapter({
      ...accountOf(account, vonage, context),
      apiKey,
      apiSecret,
      baseUrl,
      callbackUrl,
    });
  },
};
