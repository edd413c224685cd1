import { createSign, randomUUID } from 'node:crypto';
import type { CallbackRequest } from '../receipts/callback.adapter.js';
import { newCertificate } from './certificate.js';

/** An Amazon SNS topic with one subscribed endpoint. */
export class SnsTopic {
  private readonly certificate = newCertificate('sns.sim.test');
  private readonly impostor = newCertificate('sns.sim.test');
  /** Token of the open confirmation. */
  private token = randomUUID();
  isConfirmed = false;

  constructor(
    readonly arn: string,
    private readonly endpoint: string,
    /** Base URL of the certificate and the confirmation. */
    private readonly baseUrl: () => string,
  ) {}

  get certificatePem(): string {
    return this.certificate.pem;
  }

  /** Returns whether the token is that of the open confirmation. */
  confirm(token: string): boolean {
    this.isConfirmed ||= token === this.token;
    return token === this.token;
  }

  confirmation(): CallbackRequest {
    return this.request('SubscriptionConfirmation', {
      Message: `You have chosen to subscribe to the topic ${this.arn}.`,
      SubscribeURL: `${this.baseUrl()}/?Action=ConfirmSubscription&TopicArn=${this.arn}&Token=${this.token}`,
      Token: this.token,
    });
  }

  /** `forged`: signed with a key other than that of the named certificate. */
  notification(message: object, forged = false): CallbackRequest {
    return this.request('Notification', { Message: JSON.stringify(message) }, forged);
  }

  private request(type: string, fields: Record<string, string>, forged = false): CallbackRequest {
    const named: Record<string, string> = {
      ...fields,
      MessageId: randomUUID(),
      Timestamp: new Date().toISOString(),
      TopicArn: this.arn,
      Type: type,
    };
    const text = Object.keys(named)
      .toSorted()
      .map((name) => `${name}\n${named[name]}\n`)
      .join('');
    const { privateKey } = forged ? this.impostor : this.certificate;
    const body = {
      ...named,
      SignatureVersion: '2',
      Signature: createSign('RSA-SHA256').update(text).sign(privateKey, 'base64'),
      SigningCertURL: `${this.baseUrl()}/SimpleNotificationService.pem`,
    };
    return {
      url: this.endpoint,
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'x-amz-sns-message-type': type,
        'x-amz-sns-topic-arn': this.arn,
      },
      body: JSON.stringify(body),
    };
  }
}
