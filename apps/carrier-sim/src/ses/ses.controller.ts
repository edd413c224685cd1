import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../dialects/dialect.registry.js';
import { type Answer, answerSubmit } from '../dialects/submit-answer.js';
import type { MailboxStore } from '../mail/mailbox.store.js';
import { ACCEPT, type Receipt } from '../outcomes/outcome.js';
import type { CallbackClient } from '../receipts/callback.adapter.js';
import type { DueTimers } from '../receipts/due-timers.js';
import type { Scenario, ScenarioStore } from '../scenarios/scenario.store.js';
import { sesEvent, type SesEmail } from './ses-event.js';
import { signatureProblem } from './signature-v4.js';
import { SnsTopic } from './sns-topic.js';

export interface SesParts {
  readonly mailbox: MailboxStore;
  readonly scenarios: ScenarioStore;
  readonly callbacks: CallbackClient;
  readonly timers: DueTimers;
  readonly defaultReceiptDelayMs: number;
}

interface SendEmail {
  Destination?: { ToAddresses?: string[] };
  Content?: { Raw?: { Data?: string } };
  EmailTags?: { Name: string; Value: string }[];
  ConfigurationSetName?: string;
}

const BYTES_MAX = 60 * 1_024 * 1_024;
const JSON_TYPE = 'application/json';
const TAG = /^[A-Za-z0-9_.@-]{1,256}$/;

const STATUS: Readonly<Record<string, number>> = {
  NotFoundException: 404,
  TooManyRequestsException: 429,
  UnrecognizedClientException: 403,
  InvalidSignatureException: 403,
  MissingAuthenticationTokenException: 403,
};

/** Amazon SES, version 2, and the SNS topic of its events, below `/ses`. */
export class SesSimulator {
  private readonly topic: SnsTopic | null;

  constructor(
    private readonly account: Account,
    private readonly parts: SesParts,
    private readonly url: () => string,
  ) {
    const { topicArns = '', callbackUrl } = account;
    const [arn = ''] = topicArns.split(',');
    this.topic =
      callbackUrl && arn !== '' ? new SnsTopic(arn, callbackUrl, () => `${url()}/ses`) : null;
  }

  routes(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: BYTES_MAX } as const;
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    scope.post<{ Body: string }>(
      '/v2/email/outbound-emails',
      { bodyLimit: BYTES_MAX },
      (request, reply) => this.send(request, reply),
    );
    scope.get('/SimpleNotificationService.pem', (_request, reply) =>
      reply.type('application/x-pem-file').send(this.topic?.certificatePem ?? ''),
    );
    scope.get<{ Querystring: { Token?: string } }>('/', ({ query }, reply) => {
      const isConfirmed = this.topic?.confirm(query.Token ?? '') ?? false;
      return reply.code(isConfirmed ? 200 : 403).send('<ConfirmSubscriptionResponse/>');
    });
  }

  /** `POST /_simulator/ses/subscribe`: SNS asks the endpoint to confirm. */
  controlRoutes(scope: FastifyInstance): void {
    scope.post('/ses/subscribe', async (_request, reply) => {
      if (this.topic) await this.post(this.topic.confirmation());
      return reply.send({ confirmed: this.topic?.isConfirmed ?? false });
    });
  }

  private send(request: FastifyRequest<{ Body: string }>, reply: FastifyReply): void {
    const { accessKeyId = '', secretAccessKey = '', region = '' } = this.account;
    const { method, url: path, headers, body } = request;
    const known = { accessKeyId, secretAccessKey, region };
    const problem = signatureProblem({ method, path, headers, body }, known);
    const email = problem === null ? parse(body) : {};
    const exception = problem ?? this.problemOf(email);
    if (exception !== null) return void say(reply, exception);
    const to = email.Destination!.ToAddresses![0]!;
    const scenario = this.parts.scenarios.take('ses', to.toLowerCase());
    answerSubmit(reply, scenario?.submit ?? ACCEPT, {
      accept: () => this.accept(email, to, scenario),
      refuse: (code) => fail(reply, String(code ?? 'MessageRejected')),
      fault: (status) =>
        status === 429 ? fail(reply, 'TooManyRequestsException') : json(status, {}),
    });
  }

  private problemOf(email: SendEmail): string | null {
    if (email.Destination?.ToAddresses?.length !== 1) return 'BadRequestException';
    if (!email.Content?.Raw?.Data) return 'BadRequestException';
    const tags = email.EmailTags ?? [];
    if (!tags.every(({ Name, Value }) => TAG.test(Name) && TAG.test(Value))) {
      return 'BadRequestException';
    }
    const isKnown = email.ConfigurationSetName === this.account.configurationSet;
    return isKnown ? null : 'NotFoundException';
  }

  private accept(email: SendEmail, to: string, scenario: Scenario | undefined): Answer {
    const messageId = `0102${randomUUID().replaceAll('-', '')}-${randomUUID()}-000000`;
    const raw = Buffer.from(email.Content!.Raw!.Data!, 'base64');
    const source = `${messageId}@eu-west-1.amazonses.com`;
    this.parts.mailbox.add({ provider: 'ses', from: source, to, raw, receivedAtMs: Date.now() });
    const tags = Object.fromEntries(
      (email.EmailTags ?? []).map(({ Name, Value }) => [Name, [Value]]),
    );
    const usual: Receipt[] = [{ afterMs: this.parts.defaultReceiptDelayMs, outcome: 'delivered' }];
    for (const receipt of scenario?.receipts ?? usual) {
      this.report({ messageId, to, source, tags }, receipt);
    }
    return json(200, { MessageId: messageId });
  }

  private report(email: SesEmail, receipt: Receipt): void {
    const { topic } = this;
    if (topic === null) return;
    this.parts.timers.schedule(receipt.afterMs, () => {
      void this.post(topic.notification(sesEvent(email, receipt), receipt.forged));
    });
  }

  private post(request: Parameters<CallbackClient['post']>[0]): Promise<void> {
    return new Promise((resolve) => {
      this.parts.callbacks.post(request, resolve);
    });
  }
}

function parse(body: string): SendEmail {
  try {
    return JSON.parse(body) as SendEmail;
  } catch {
    return {};
  }
}

function say(reply: FastifyReply, exception: string): void {
  const { status, contentType, body } = fail(reply, exception);
  reply.code(status).type(contentType).send(body);
}

function fail(reply: FastifyReply, exception: string): Answer {
  reply.header('x-amzn-errortype', `${exception}:http://internal.amazon.com/coral/com.amazonaws/`);
  return json(STATUS[exception] ?? 400, { message: `${exception} (simulated)` });
}

function json(status: number, body: object): Answer {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(body) };
}
