import { EmailTokens } from '@watchword/email';
import { type Clock, systemClock } from '@watchword/contracts';
import type { EmailCallbackResult } from '../email/email-carrier.js';
import { parseJsonObject } from '../http/json-object.js';
import type { CarrierCallback } from '../provider.port.js';
import { reportOf } from './ses-event.js';
import { isSignedBy, isSnsUrl, type SnsMessage, snsMessageOf } from './sns-message.js';
import { SnsClient } from './sns.client.js';

export interface SesCallbackSettings {
  /** Topics with messages to read. */
  readonly topicArns: readonly string[];
  /** Origin of an SNS simulator. Empty means Amazon's hosts. */
  readonly snsOrigin: string;
  readonly callbackSecrets: readonly string[];
  readonly clock?: Clock | undefined;
}

const NOTHING: EmailCallbackResult = { verdict: 'email_reports', reports: [] };

/** Reads Amazon SNS notifications about emails that SES carried. */
export class SesCallback {
  private readonly tokens: EmailTokens;
  private readonly clock: Clock;

  constructor(
    private readonly settings: SesCallbackSettings,
    private readonly sns: Pick<SnsClient, 'certificate' | 'confirm'> = new SnsClient(),
  ) {
    this.tokens = EmailTokens.of(...settings.callbackSecrets);
    this.clock = settings.clock ?? systemClock;
  }

  /**
   * Reads a callback. It trusts nothing before the topic, the certificate's host and the signature
   * are right.
   */
  async read({ method, rawBody }: CarrierCallback): Promise<EmailCallbackResult> {
    const fields = parseJsonObject(rawBody);
    const message = fields === null ? null : snsMessageOf(fields);
    if (method !== 'POST' || message === null) return { verdict: 'malformed' };
    if (!(await this.isGenuine(message))) return { verdict: 'forged' };
    if (message.type === 'SubscriptionConfirmation') return this.confirm(message.subscribeUrl);
    if (message.type === 'UnsubscribeConfirmation') return NOTHING;
    const event = parseJsonObject(message.message);
    if (event === null) return { verdict: 'malformed' };
    const report = reportOf(event, `sns:${message.id}`, this.tokens, this.clock.now());
    return report === null ? NOTHING : { verdict: 'email_reports', reports: [report] };
  }

  private async isGenuine(message: SnsMessage): Promise<boolean> {
    const { topicArns, snsOrigin } = this.settings;
    if (!topicArns.includes(message.topicArn)) return false;
    if (!isSnsUrl(message.certificateUrl, snsOrigin)) return false;
    const pem = await this.sns.certificate(message.certificateUrl);
    return pem !== null && isSignedBy(pem, message, this.clock.now());
  }

  private async confirm(url: string): Promise<EmailCallbackResult> {
    if (!isSnsUrl(url, this.settings.snsOrigin)) return { verdict: 'forged' };
    return (await this.sns.confirm(url)) ? NOTHING : { verdict: 'malformed' };
  }
}
