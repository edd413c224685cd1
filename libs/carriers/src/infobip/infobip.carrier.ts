import { Member, SmsAccountSettings, text, url } from '../account-settings.js';
import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import { knowsInfobipState } from './status-map.js';

class InfobipSettings extends SmsAccountSettings {
  @Member(text(), 'API key at the provider Infobip, with the scope to send SMS.', {
    required: true,
    secret: true,
  })
  readonly apiKey: string = '';

  @Member(
    text(),
    'User name with which a subscription at Infobip calls back. Where it is set, only callbacks ' +
      'with it are accepted, and the subscription names their address.',
    { needs: 'callbackPassword', services: ['gateway', 'dispatch'] },
  )
  readonly callbackUsername: string = '';

  @Member(text(), 'Password of that user.', {
    secret: true,
    needs: 'callbackUsername',
    services: ['gateway'],
  })
  readonly callbackPassword: string = '';

  @Member(url, 'Where Infobip’s API is: the base URL that its portal shows for the account.', {
    simulated: 'address',
  })
  readonly baseUrl: string = 'https://api.infobip.com';
}

export const infobip: Carrier<InfobipSettings> = {
  token: 'infobip',
  title: 'Infobip',
  settings: InfobipSettings,
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['error 255'],
  knowsState: knowsInfobipState,
  // A header that is never sent, or a text longer than any that is accepted here.
  platformFaults: ['status 24', 'status 25'],
  cost: { per: 'segment', stated: 'report' },
  callback: {
    urlSetBy: 'message',
    signedWith: null,
    signedOnceSet: 'callbackUsername',
    reportsPage:
      'Developer Tools, Subscriptions Management, a subscription to SMS delivery reports; ' +
      'only with a callback user name, otherwise each message names it',
    inboundPage: 'Developer Tools, Subscriptions Management, a subscription to inbound SMS',
    async reader({ settings }) {
      const { readInfobipCallback } = await import('./callback.js');
      const { callbackUsername: username, callbackPassword: password } = settings;
      return (callback) => readInfobipCallback({ username, password }, callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { InfobipAdapter } = await import('./infobip.adapter.js');
    const { apiKey, callbackUsername, baseUrl } = account.settings;
    const isSubscribed = callbackUsername !== '';
    return new InfobipAdapter({
      ...accountOf(account, infobip, context),
      apiKey,
      baseUrl,
      callbackUrl: isSubscribed ? null : callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
