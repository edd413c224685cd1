import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';

export const termii: Carrier = {
  token: 'termii',
  title: 'Termii',
  settings: [
    {
      key: 'apiKey',
      suffix: 'API_KEY',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'API key of the account at Termii.',
    },
    {
      key: 'secretKey',
      suffix: 'SECRET_KEY',
      kind: 'text',
      required: true,
      secret: true,
      services: ['gateway', 'dispatch'],
      sentence: 'Secret key of that account; it signs Termii’s callbacks.',
    },
    {
      key: 'channel',
      suffix: 'CHANNEL',
      kind: 'text',
      pattern: /^(?:dnd|generic)$/,
      meaning: 'dnd or generic',
      fallbackText: 'dnd',
      services: ['dispatch'],
      sentence:
        'Channel of texts: dnd also reaches numbers on a Do Not Disturb registry, generic does not. ' +
        'One-time passwords always take dnd, texts of category promotional always generic.',
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'the carrier simulator (embedded), else https://api.ng.termii.com',
      services: ['dispatch'],
      sentence: 'Where Termii’s API is: the base URL that Termii’s dashboard shows.',
    },
  ],
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
      return (callback) => readTermiiCallback(settings.secretKey ?? '', callback);
    },
  },
  async create(account, context) {
    const { TermiiAdapter } = await import('./termii.adapter.js');
    const { apiKey = '', channel, baseUrl } = account.settings;
    return new TermiiAdapter({
      ...accountOf(account, termii, context),
      apiKey,
      channel: channel === 'generic' ? 'generic' : 'dnd',
      baseUrl: baseUrl || 'https://api.ng.termii.com',
    });
  },
};
