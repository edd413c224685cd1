import { Member, SmsAccountSettings, text, url } from '../account-settings.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import { knowsAfricasTalkingState } from './status-map.js';

class AfricasTalkingSettings extends SmsAccountSettings {
  @Member(text(), 'Application user name of the provider Africa’s Talking.', {
    required: true,
    simulated: { text: 'watchword' },
  })
  readonly username: string = '';

  @Member(text(), 'API key of that user.', {
    required: true,
    secret: true,
    simulated: { prefix: 'atsk_', randomBytes: 32 },
  })
  readonly apiKey: string = '';

  @Member(url, 'Where the API of Africa’s Talking is.', { simulated: 'address' })
  readonly baseUrl: string = 'https://api.africastalking.com';
}

export const africasTalking: Carrier<AfricasTalkingSettings> = {
  token: 'africas_talking',
  title: 'Africa’s Talking',
  settings: AfricasTalkingSettings,
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['Failed'],
  knowsState: knowsAfricasTalkingState,
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
    const { username, apiKey, baseUrl } = account.settings;
    return new AfricasTalkingAdapter({
      ...accountOf(account, africasTalking, context),
      username,
      apiKey,
      baseUrl,
    });
  },
};
