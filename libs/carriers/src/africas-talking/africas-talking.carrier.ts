import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

export const africasTalking: Carrier = {
  token: 'africas_talking',
  title: 'Africa’s Talking',
  settings: [
    {
      key: 'username',
      suffix: 'USERNAME',
      kind: 'text',
      required: true,
      fallbackText: 'the carrier simulator (embedded only)',
      services: ['dispatch'],
      sentence: 'Application user name of the provider Africa’s Talking.',
      simulated: { text: 'watchword' },
    },
    {
      key: 'apiKey',
      suffix: 'API_KEY',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'API key of that user.',
      simulated: { prefix: 'atsk_', randomBytes: 32 },
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'the carrier simulator (embedded), else https://api.africastalking.com',
      services: ['dispatch'],
      sentence: 'Where the API of Africa’s Talking is.',
    },
  ],
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['Failed'],
  // A parameter that is never sent.
  platformFaults: ['InvalidLinkId'],
  cost: { per: 'segment', stated: 'answer' },
  callback: {
    urlSetBy: 'account',
    signedWith: null,
    reportsPage: 'SMS, SMS callback URLs, Delivery reports',
    inboundPage: 'SMS, SMS callback URLs, Incoming messages',
    optOutPage: 'SMS, SMS callback URLs, Bulk SMS opt out',
    async reader() {
      return (await import('./callback.js')).readAfricasTalkingCallback;
    },
  },
  async create(account, context) {
    const { AfricasTalkingAdapter } = await import('./africas-talking.adapter.js');
    const { username = '', apiKey = '', baseUrl } = account.settings;
    return new AfricasTalkingAdapter({
      ...accountOf(account, africasTalking, context),
      username,
      apiKey,
      baseUrl: baseUrl || 'https://api.africastalking.com',
    });
  },
};
