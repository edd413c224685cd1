import { EmailAccountSettings, list, Member, text, url } from '../account-settings.js';
import { type EmailCarrier, emailCapacityOf } from '../email/email-carrier.js';

class SesSettings extends EmailAccountSettings {
  @Member(
    text('16 to 128 capital letters and digits', /^[A-Z0-9]{16,128}$/),
    'Access key that may call ses:SendRawEmail.',
    { required: true },
  )
  readonly accessKeyId: string = '';

  @Member(text(), 'Secret of that access key.', { required: true, secret: true })
  readonly secretAccessKey: string = '';

  @Member(
    text('a region of AWS, such as eu-west-1', /^[a-z]{2}(?:-[a-z]+)+-\d$/),
    'Region whose SES carries the emails.',
    { required: true },
  )
  readonly region: string = '';

  @Member(
    text('at most 64 letters, digits, _ or -', /^[A-Za-z0-9_-]{1,64}$/),
    'Configuration set that publishes the events of emails to SNS.',
    { required: true },
  )
  readonly configurationSet: string = '';

  @Member(
    list('a list of ARNs of SNS topics', /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/),
    'SNS topics whose notifications are believed.',
    { required: true, services: ['gateway', 'dispatch'] },
  )
  readonly topicArns: readonly string[] = [];

  @Member(url, 'Where the API of SES is.', {
    fallbackText: 'https://email.<region>.amazonaws.com',
    simulated: 'address',
  })
  readonly baseUrl: string = '';

  @Member(url, 'Where certificates and confirmations of SNS are; only for a simulator.', {
    services: ['gateway'],
    fallbackText: 'the hosts of Amazon',
  })
  readonly snsUrl: string = '';
}

export const ses: EmailCarrier<SesSettings> = {
  token: 'ses',
  title: 'Amazon SES',
  settings: SesSettings,
  concurrency: 32,
  callback: {
    urlSetBy: 'account',
    signedWith: 'topicArns',
    reportsPage: 'SNS, the topic, Create subscription: HTTPS',
    inboundPage: null,
    async reader({ settings }, { callbackSecrets, clock }) {
      const { SesCallback } = await import('./callback.js');
      const callback = new SesCallback({
        topicArns: settings.topicArns,
        snsOrigin: settings.snsUrl ? new URL(settings.snsUrl).origin : '',
        callbackSecrets,
        clock,
      });
      return (request) => callback.read(request);
    },
  },
  async create(account) {
    const { SesAdapter } = await import('./ses.adapter.js');
    const { region, accessKeyId, secretAccessKey, configurationSet, baseUrl } = account.settings;
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
