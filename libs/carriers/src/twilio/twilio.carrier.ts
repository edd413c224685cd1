import { Member, SmsAccountSettings, text, url } from '../account-settings.js';
import { callbackPathOf } from '../callback-secret.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import { knowsTwilioState } from './status-map.js';

class TwilioSettings extends SmsAccountSettings {
  @Member(
    text('AC and 32 hexadecimal digits', /^AC[0-9a-f]{32}$/),
    'Account of the provider Twilio.',
    { required: true, simulated: { prefix: 'AC', randomBytes: 16 } },
  )
  readonly accountSid: string = '';

  @Member(text(), 'Token of that account; it also signs Twilio’s callbacks.', {
    required: true,
    secret: true,
    services: ['gateway', 'dispatch'],
    simulated: { prefix: '', randomBytes: 16 },
  })
  readonly authToken: string = '';

  @Member(url, 'Where Twilio’s API is.', { simulated: 'address' })
  readonly baseUrl: string = 'https://api.twilio.com';
}

export const twilio: Carrier<TwilioSettings> = {
  token: 'twilio',
  title: 'Twilio',
  settings: TwilioSettings,
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['30008', 'failed', 'undelivered'],
  knowsState: knowsTwilioState,
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
      return (callback) => readTwilioCallback(settings.authToken, callback);
    },
  },
  async create(account, context) {
    const { callbackBaseUrl, callbackSecret } = context;
    const { TwilioAdapter } = await import('./twilio.adapter.js');
    const { accountSid, authToken, baseUrl } = account.settings;
    return new TwilioAdapter({
      ...accountOf(account, twilio, context),
      accountSid,
      authToken,
      baseUrl,
      callbackUrl: callbackBaseUrl + callbackPathOf(callbackSecret, account),
    });
  },
};
