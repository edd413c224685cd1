import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

export const twilio: Carrier = {
  token: 'twilio',
  title: 'Twilio',
  settings: [
    {
      key: 'accountSid',
      suffix: 'ACCOUNT_SID',
      kind: 'text',
      required: true,
      pattern: /^AC[0-9a-f]{32}$/,
      meaning: 'AC and 32 hexadecimal digits',
      fallbackText: 'the carrier simulator (embedded only)',
      services: ['dispatch'],
      sentence: 'Account of the provider Twilio.',
      simulated: { prefix: 'AC', randomBytes: 16 },
    },
    {
      key: 'authToken',
      suffix: 'AUTH_TOKEN',
      kind: 'text',
      required: true,
      secret: true,
      services: ['gateway', 'dispatch'],
      sentence: 'Token of that account; it also signs Twilio’s callbacks.',
      simulated: { prefix: '', randomBytes: 16 },
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'the carrier simulator (embedded), else https://api.twilio.com',
      services: ['dispatch'],
      sentence: 'Where Twilio’s API is.',
    },
  ],
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['30008', 'failed', 'undelivered'],
  // The text is missing, or longer than any that is accepted here.
  platformFaults: ['21602', '21617'],
  cost: { per: 'segment', stated: 'invoice' },
  callback: {
    urlSetBy: 'message',
    signedWith: 'authToken',
    reportsPage: null,
    inboundPage: 'Phone numbers, the number, Messaging, “A message comes in”: Webhook, HTTP POST',
    async reader({ settings }) {
      const { readTwilioCallback } = await import('./callback.js');
      return (callback) => readTwilioCallback(settings.authToken ?? '', callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { TwilioAdapter } = await import('./twilio.adapter.js');
    const { accountSid = '', authToken = '', baseUrl } = account.settings;
    return new TwilioAdapter({
      ...accountOf(account, twilio, context),
      accountSid,
      authToken,
      baseUrl: baseUrl || 'https://api.twilio.com',
      callbackUrl: callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
