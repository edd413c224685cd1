import { Member, oneOf, SmsAccountSettings, text, url } from '../account-settings.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

class TermiiSettings extends SmsAccountSettings {
  @Member(text(), 'API key of the account at Termii.', { required: true, secret: true })
  readonly apiKey: string = '';

  @Member(text(), 'Secret key of that account; it signs Termii’s callbacks.', {
    required: true,
    secret: true,
    services: ['gateway', 'dispatch'],
  })
  readonly secretKey: string = '';

  @Member(
    oneOf('dnd', 'generic'),
    'Channel of texts: dnd also reaches numbers on a Do Not Disturb registry, generic does not. ' +
      'One-time passwords always take dnd, texts of category promotional always generic.',
  )
  readonly channel: 'dnd' | 'generic' = 'dnd';

  @Member(url, 'Where Termii’s API is: the base URL that Termii’s dashboard shows.', {
    simulated: 'address',
  })
  readonly baseUrl: string = 'https://api.ng.termii.com';
}

export const termii: Carrier<TermiiSettings> = {
  token: 'termii',
  title: 'Termii',
  settings: TermiiSettings,
  capacity: { concurrency: 64, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  cost: { per: 'segment', stated: 'report' },
  callback: {
    urlSetBy: 'account',
    signedWith: 'secretKey',
    reportsPage: 'Developer console, Webhook',
    inboundPage: 'Developer console, Webhook',
    async reader({ settings }) {
      const { readTermiiCallback } = await import('./callback.js');
      return (callback) => readTermiiCallback(settings.secretKey, callback);
    },
  },
  async create(account, context) {
    const { TermiiAdapter } = await import('./termii.adapter.js');
    const { apiKey, channel, baseUrl } = account.settings;
    return new TermiiAdapter({
      ...accountOf(account, termii, context),
      apiKey,
      channel,
      baseUrl,
    });
  },
};
