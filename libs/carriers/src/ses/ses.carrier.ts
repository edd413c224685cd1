import { type EmailCarrier, emailCapacityOf } from '../email/email-carrier.js';

const ARN = 'arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[\\w.-]+';

export const ses: EmailCarrier = {
  token: 'ses',
  title: 'Amazon SES',
  settings: [
    {
      key: 'accessKeyId',
      suffix: 'ACCESS_KEY_ID',
      kind: 'text',
      required: true,
      pattern: /^[A-Z0-9]{16,128}$/,
      meaning: '16 to 128 capital letters and digits',
      services: ['dispatch'],
      sentence: 'Access key that may call ses:SendRawEmail.',
    },
    {
      key: 'secretAccessKey',
      suffix: 'SECRET_ACCESS_KEY',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'Secret of that access key.',
    },
    {
      key: 'region',
      suffix: 'REGION',
      kind: 'text',
      required: true,
      pattern: /^[a-z]{2}(?:-[a-z]+)+-\d$/,
      meaning: 'a region of AWS, such as eu-west-1',
      services: ['dispatch'],
      sentence: 'Region whose SES carries the emails.',
    },
    {
      key: 'configurationSet',
      suffix: 'CONFIGURATION_SET',
      kind: 'text',
      required: true,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      meaning: 'at most 64 letters, digits, _ or -',
      services: ['dispatch'],
      sentence: 'Configuration set that publishes the events of emails to SNS.',
    },
    {
      key: 'topicArns',
      suffix: 'TOPIC_ARNS',
      kind: 'text',
      required: true,
      pattern: new RegExp(`^${ARN}(?:,${ARN})*$`),
      meaning: 'ARNs of SNS topics, separated by commas',
      services: ['gateway', 'dispatch'],
      sentence: 'SNS topics whose notifications are believed.',
    },
    {
      key: 'baseUrl',
      suffix: 'BASE_URL',
      kind: 'url',
      fallbackText: 'https://email.<region>.amazonaws.com',
      services: ['dispatch'],
      sentence: 'Where the API of SES is.',
    },
    {
      key: 'snsUrl',
      suffix: 'SNS_URL',
      kind: 'url',
      fallbackText: 'the hosts of Amazon',
      services: ['gateway'],
      sentence: 'Where certificates and confirmations of SNS are; only for a simulator.',
    },
  ],
  concurrency: 32,
  callback: {
    urlSetBy: 'account',
    signedWith: 'topicArns',
    reportsPage: 'SNS, the topic, Create subscription: HTTPS',
    inboundPage: null,
    async reader({ settings }, { callbackSecrets, clock }) {
      const { SesCallback } = await import('./callback.js');
      const callback = new SesCallback({
        topicArns: (settings.topicArns ?? '').split(','),
        snsOrigin: settings.snsUrl ? new URL(settings.snsUrl).origin : '',
        callbackSecrets,
        clock,
      });
      return (request) => callback.read(request);
    },
  },
  async create(account) {
    const { SesAdapter } = await import('./ses.adapter.js');
    const { region = '', accessKeyId = '', secretAccessKey = '' } = account.settings;
    const { configurationSet = '', baseUrl } = account.settings;
    return new SesAdapter({
      id: account.id,
      region,
      accessKeyId,
      secretAccessKey,
      configurationSet,
      baseUrl: baseUrl || `https://email.${region}.amazonaws.com`,
      capacity: emailCapacityOf(ses.concurrency, account),
    });
  },
};
