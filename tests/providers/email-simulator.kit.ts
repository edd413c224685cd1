/** The simulator of email carriers, and what stands where the gateway's callback route stands. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CarrierSim, startCarrierSim } from '@watchword/carrier-sim';
import {
  accountFrom,
  type CarrierAccount,
  carrierOf,
  createEmailProviders,
  type EmailCallbackReader,
  type EmailProvider,
} from '@watchword/carriers';
import { EmailTokens } from '@watchword/email';
import { request } from 'undici';

const SECRET = 'callback-secret-of-this-spec';
export const ARN = 'arn:aws:sns:eu-west-1:123456789012:emails';
export const SES = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
  configurationSet: 'watchword',
  topicArns: ARN,
};
export const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 3 };
export const tokens = EmailTokens.of(SECRET);
const returnPath = `${tokens.returnPath(ref, Date.now() + 86_400_000)}@send.example.com`;
export const raw = Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\nhello\r\n');
export const EMAIL = {
  ...ref,
  attempt: 1,
  returnPath,
  to: 'ada@example.com',
  raw,
  deadlineMs: 20_000,
};

export type Name = 'smtp' | 'ses';

export interface Posted {
  headers: Record<string, string | string[] | undefined>;
  rawBody: string;
}

export class EmailSimulator {
  private constructor(
    private readonly simulator: CarrierSim,
    private readonly receiver: Server,
    /** Requests to the callback route. */
    readonly posted: Posted[],
  ) {}

  static async start(): Promise<EmailSimulator> {
    const posted: Posted[] = [];
    const receiver = createServer(async (incoming, answer) => {
      let rawBody = '';
      for await (const chunk of incoming) rawBody += String(chunk);
      posted.push({ headers: incoming.headers, rawBody });
      answer.end('OK');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const callbackUrl = `http://127.0.0.1:${port}/callbacks/ses`;
    const simulator = await startCarrierSim({
      defaultReceiptDelayMs: 10,
      accounts: { ses: { ...SES, callbackUrl } },
    });
    return new EmailSimulator(simulator, receiver, posted);
  }

  get url(): string {
    return this.simulator.url;
  }

  async control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
    const { body: answer } = await request(`${this.url}/_simulator${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return text === '' ? null : JSON.parse(text);
  }

  play(provider: Name, submit: object, receipts: object[] = []) {
    return this.control('POST', '/scenarios', { provider, to: EMAIL.to, submit, receipts });
  }

  async using(
    name: Name,
    act: (provider: EmailProvider) => Promise<void>,
    settings: object = {},
  ): Promise<void> {
    const context = { callbackBaseUrl: 'http://127.0.0.1:9', callbackSecret: SECRET };
    const accounts = [this.accountOf(name, settings)];
    const provider = (await createEmailProviders(accounts, context)).get(name)!;
    await provider.start();
    try {
      await act(provider);
    } finally {
      await provider.stop();
    }
  }

  async clear(): Promise<void> {
    await this.control('DELETE', '/scenarios');
    await this.control('DELETE', '/emails');
    this.posted.length = 0;
  }

  async close(): Promise<void> {
    await this.simulator.close();
    await new Promise((resolve) => this.receiver.close(resolve));
  }

  private accountOf(name: Name, settings: object): CarrierAccount {
    const { host, port } = this.simulator.smtp;
    const ofName =
      name === 'ses'
        ? { ...SES, topicArns: [ARN], baseUrl: `${this.url}/ses` }
        : { host, port, security: 'none' };
    return accountFrom(name, { ...ofName, ...settings });
  }
}

export async function readerOf(
  settings: typeof SES & { snsUrl?: string },
): Promise<EmailCallbackReader> {
  const account = accountFrom('ses', { ...settings, topicArns: [settings.topicArns] });
  const reader = await carrierOf('ses')!.callback!.reader(account, { callbackSecrets: [SECRET] });
  return reader as EmailCallbackReader;
}
