import { Member, SmsAccountSettings, text, url } from '../account-settings.js';
import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import { knowsPlivoState } from './status-map.js';

class PlivoSettings extends SmsAccountSettings {
  @Member(
    text('MA or SA and 18 capital letters or digits', /^(?:MA|SA)[A-Z0-9]{18}$/),
    'Auth ID of the account, or of a subaccount, at Plivo.',
    { required: true },
  )
  readonly authId: string = '';

  @Member(text(), 'Auth token of that account; it also signs Plivo’s callbacks.', {
    required: true,
    secret: true,
    services: ['gateway', 'dispatch'],
  })
  readonly authToken: string = '';

  @Member(url, 'Where Plivo’s API is.', { simulated: 'address' })
  readonly baseUrl: string = 'https://api.plivo.com';
}

export const plivo: Carrier<PlivoSettings> = {
  token: 'plivo',
  title: 'Plivo',
  settings: PlivoSettings,
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['1000', 'failed', 'undelivered', 'rejected'],
  knowsState: knowsPlivoState,
  cost: { per: 'segment', stated: 'report' },
  callback: {
    urlSetBy: 'message',
    signedWith: 'authToken',
    reportsPage: null,
    inboundPage: 'Messaging, Applications, the application of the number, Message URL: POST',
    async reader({ settings }) {
      const { readPlivoCallback } = await import('./callback.js');
      return (callback) => readPlivoCallback(settings.authToken, callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { PlivoAdapter } = await import('./plivo.adapter.js');
    const { authId, authToken, baseUrl } = account.settings;
    return new PlivoAdapter({
      ...accountOf(account, plivo, context),
      authId,
      authToken,
      baseUrl,
      callbackUrl: callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
