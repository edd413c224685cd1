import { systemClock } from '@watchword/contracts';
import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

/** Requests in a second that Vonage takes of an account without another agreement. */
const REQUESTS_PER_SECOND = 30;

export const vonage: Carrier = {
  token: 'vonage',
  title: 'Vonage',
  settings: [
    {
      key: 'apiKey',
      suffix: 'API_KEY',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'API key of the account at the provider Vonage.',
    },
    {
      key: 'apiSecret',
      suffix: 'API_SECRET',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'API secret of that account.',
    },
    {
      key: 'signatureSecret',
      suffix: 'SIGNATURE_SECRET',
      kind: 'text',
      secret: true,
      services: ['gateway'],
      sentence:
        'Signature secret of that account. Where it is set, only signed callbacks are accepted; ' +
        'Vonage signs them on request.',
    },
    {
      key: 'signatureMethod',
      suffix: 'SIGNATURE_METHOD',
      kind: 'text',
      pattern: /^(?:md5hash|md5|sha1|sha256|sha512)$/,
      meaning: 'md5hash, md5, sha1, sha256 or sha512',
      fallbackText: 'md5hash',
      needs: 'signatureSecret',
      services: ['gateway'],
      sentence: 'Signature method of that account, as its settings at Vonage show it.',
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'the carrier simulator (embedded), else https://rest.nexmo.com',
      services: ['dispatch'],
      sentence: 'Where Vonage’s SMS API is.',
    },
  ],
  capacity: { concurrency: 64, messagesPerSecond: REQUESTS_PER_SECOND, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['1', '99', 'failed', 'unknown'],
  // A parameter is missing, or invalid.
  platformFaults: ['2', '3'],
  cost: { per: 'segment', stated: 'answer' },
  callback: {
    urlSetBy: 'message',
    signedWith: null,
    signedOnceSet: 'signatureSecret',
    reportsPage: null,
    inboundPage:
      'API Settings, SMS settings: SMS API, Inbound SMS webhooks, with the method POST or ' +
      'POST-JSON',
    async reader({ settings }, { clock = systemClock }) {
      const { readVonageCallback } = await import('./callback.js');
      const { signatureSecret = '', signatureMethod = '' } = settings;
      const proof = { signatureSecret, signatureMethod, clock };
      return (callback) => readVonageCallback(proof, callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { VonageAdapter } = await import('./vonage.adapter.js');
    const { apiKey = '', apiSecret = '', baseUrl } = account.settings;
    return new VonageAdapter({
      ...accountOf(account, vonage, context),
      apiKey,
      apiSecret,
      baseUrl: baseUrl || 'https://rest.nexmo.com',
      callbackUrl: callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
