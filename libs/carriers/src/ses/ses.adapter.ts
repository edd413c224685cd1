import aws4 from 'aws4';
import { safeAnswerText } from '@watchword/email';
import type { Capacity } from '../capacity/capacity.js';
import type { EmailOutcome, EmailProvider, EmailSubmit } from '../email-provider.port.js';
import { CarrierHttpClient } from '../http/carrier-http.client.js';
import { type Answered, isSuccess } from '../http/outcome.policy.js';
import { parseJsonObject } from '../http/json-object.js';
import { sesFailure } from './ses-errors.js';
import { tagOf } from './ses-tag.js';

export interface SesSettings {
  /** Id of the account. */
  readonly id: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** SES configuration set that sends the events of an email to SNS. */
  readonly configurationSet: string;
  readonly baseUrl: string;
  readonly capacity: Capacity;
}

const PATH = '/v2/email/outbound-emails';

/** Amazon SES, API version 2: `SendEmail` with the raw message, signed with Signature Version 4. */
export class SesAdapter implements EmailProvider {
  readonly name: string;
  readonly carrier = 'ses';
  readonly replacesMessageId = true;
  readonly capacity: Capacity;
  private readonly http: CarrierHttpClient;
  private readonly path: string;
  private readonly host: string;

  constructor(private readonly settings: SesSettings) {
    this.name = settings.id;
    this.capacity = settings.capacity;
    this.http = new CarrierHttpClient(settings.baseUrl, settings.capacity.concurrency);
    this.path = this.http.pathOf(PATH);
    this.host = new URL(settings.baseUrl).host;
  }

  async start(): Promise<void> {}

  async submit(request: EmailSubmit): Promise<EmailOutcome> {
    const body = JSON.stringify(this.bodyOf(request));
    const exchange = await this.http.post(this.path, this.signedHeaders(body), body, {
      deadlineMs: request.deadlineMs,
      traceparent: request.traceparent,
    });
    if (exchange.kind === 'answered') return outcomeOf(exchange);
    const rawCode = exchange.code;
    return exchange.kind === 'unsent'
      ? {
          outcome: 'refused',
          temporary: true,
          rawCode,
          rawMessage: 'The request could not be sent.',
        }
      : { outcome: 'ambiguous', rawCode, rawMessage: 'The request was sent and not answered.' };
  }

  stop(): Promise<void> {
    return this.http.close();
  }

  private bodyOf(request: EmailSubmit): object {
    return {
      Destination: { ToAddresses: [request.to] },
      Content: { Raw: { Data: request.raw.toString('base64') } },
      // Each event returns the tag. SES replaces Message-ID and envelope sender by its own.
      EmailTags: [tagOf(request.returnPath)],
      ConfigurationSetName: this.settings.configurationSet,
    };
  }

  private signedHeaders(body: string): Record<string, string> {
    const { region, accessKeyId, secretAccessKey } = this.settings;
    const request = {
      method: 'POST',
      host: this.host,
      path: this.path,
      service: 'ses',
      region,
      headers: { 'Content-Type': 'application/json' },
      body,
    };
    const { headers } = aws4.sign(request, { accessKeyId, secretAccessKey });
    return Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
  }
}

function outcomeOf(answer: Answered): EmailOutcome {
  const fields = parseJsonObject(answer.body);
  if (isSuccess(answer.status)) {
    const id = fields?.MessageId;
    if (typeof id === 'string' && id !== '') {
      return { outcome: 'accepted', providerMessageId: id, delivered: false };
    }
    const rawMessage = 'The answer could not be read.';
    return { outcome: 'ambiguous', rawCode: `HTTP ${answer.status}`, rawMessage };
  }
  const said = fields?.message ?? fields?.Message;
  const rawMessage = typeof said === 'string' ? safeAnswerText(said) : null;
  return sesFailure(answer.status, answer.errorType, rawMessage);
}
