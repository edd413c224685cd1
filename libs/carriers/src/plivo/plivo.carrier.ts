import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

export const plivo: Carrier = {
  token: 'plivo',
  title: 'Plivo',
  settings: [
    {
      key: 'authId',
      suffix: 'AUTH_ID',
      kind: 'text',
      required: true,
      pattern: /^(?:MA|SA)[A-Z0-9]{18}$/,
      meaning: 'MA or SA and 18 capital letters or digits',
      services: ['dispatch'],
      sentence: 'Auth ID of the account, or of a subaccount, at Plivo.',
    },
    {
      key: 'authToken',
      suffix: 'AUTH_TOKEN',
      kind: 'text',
      required: true,
      secret: true,
      services: ['gateway', 'dispatch'],
      sentence: 'Auth token of that account; it also signs Plivo’s callbacks.',
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'the carrier simulator (embedded), else https://api.plivo.com',
      services: ['dispatch'],
      sentence: 'Where Plivo’s API is.',
    },
  ],
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['1000', 'failed', 'undelivered', 'rejected'],
  cost: { per: 'segment', stated: 'report' },
  callback: {
    urlSetBy: 'message',
    signedWith: 'authToken',
    reportsPage: null,
    inboundPage: 'Messaging, Applications, the application of the number, Message URL: POST',
    async reader({ settings }) {
      const { readPlivoCallback } = await import('./callback.js');
      return (callback) => readPlivoCallback(settings.authToken ?? '', callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { PlivoAdapter } = await import('./plivo.adapter.js');
    const { authId = '', authToken = '', baseUrl } = account.settings;
    return new PlivoAdapter({
      ...accountOf(account, plivo, context),
      authId,
      authToken,
      baseUrl: baseUrl || 'https://api.plivo.com',
      callbackUrl: callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
