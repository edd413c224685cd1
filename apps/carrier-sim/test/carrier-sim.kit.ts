import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startCarrierSim } from '../src/index.js';
import type { CarrierSim, CarrierSimOptions } from '../src/index.js';

export const ACCOUNT_SID = 'AC00000000000000000000000000000001';
export const AUTH_TOKEN = 'authtoken';
export const API_KEY = 'atsk_test';
export const USERNAME = 'watchword';

/** Milliseconds. What does not happen on the slowest machine hangs. */
const TIMEOUT_MS = 60_000;

/** Waits until `look` returns something truthy. */
export async function until<Value>(
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  for (const deadlineMs = Date.now() + TIMEOUT_MS; ; await sleep(5)) {
    const isLate = Date.now() > deadlineMs;
    const found = await look();
    if (found) return found;
    if (isLate) throw new Error(`it did not happen within ${TIMEOUT_MS} ms`);
  }
}

export interface Callback {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Record<string, string>;
  readonly body: string;
}

/** Plays the product's callback route. It answers `statuses` first, then 200. */
export class CallbackReceiver {
  readonly callbacks: Callback[] = [];
  statuses: number[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (incoming, answer) => {
      let body = '';
      for await (const chunk of incoming) body += String(chunk);
      this.callbacks.push({
        path: incoming.url ?? '',
        headers: incoming.headers,
        form: Object.fromEntries(new URLSearchParams(body)),
        body,
      });
      answer.writeHead(this.statuses.shift() ?? 200).end();
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  waitFor(count: number): Promise<Callback[]> {
    return until(() => this.callbacks.length >= count && this.callbacks);
  }

  clear(): void {
    this.callbacks.length = 0;
    this.statuses = [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/**
 * The simulator, a server for its callbacks, and a client independent of the product's adapters.
 */
export class Bench {
  private readonly agent = new Agent({ connections: 8 });

  constructor(
    readonly simulator: Pick<CarrierSim, 'url' | 'close'>,
    readonly receiver: CallbackReceiver,
  ) {}

  /** `further` returns accounts besides the two that every test has. */
  static async start(
    defaultReceiptDelayMs = 20,
    further: (receiverUrl: string) => CarrierSimOptions['accounts'] = () => ({}),
  ): Promise<Bench> {
    const receiver = await new CallbackReceiver().listen();
    const simulator = await startCarrierSim({
      defaultReceiptDelayMs,
      accounts: {
        twilio: {
          accountSid: ACCOUNT_SID,
          authToken: AUTH_TOKEN,
          callbackUrl: `${receiver.url}/callbacks/twilio/secret`,
        },
        africas_talking: {
          username: USERNAME,
          apiKey: API_KEY,
          callbackUrl: `${receiver.url}/callbacks/africas_talking/secret`,
        },
        ...further(receiver.url),
      },
    });
    return new Bench(simulator, receiver);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
    await this.simulator.close();
    await this.receiver.close();
  }

  /** Lets the receipts of the test before arrive first, so that they do not count here. */
  async reset(): Promise<void> {
    await this.settled();
    await this.control('DELETE', '/scenarios');
    await this.control('DELETE', '/messages');
    this.receiver.clear();
  }

  /** Waits until no receipt is to come. */
  async settled(): Promise<void> {
    await until(async () => (await this.control('GET', '/health')).json.receipts.waiting === 0);
  }

  /**
   * Whether the simulator leaves a request unanswered that it has read: it answers others that were
   * sent after it.
   */
  async isUnanswered(asked: Promise<unknown>): Promise<boolean> {
    let isAnswered = false;
    const answered = (): boolean => (isAnswered = true);
    asked.then(answered, answered);
    for (let others = 0; others < 3; others += 1) await this.control('GET', '/health');
    return !isAnswered;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Reply> {
    const answer = await request(`${this.simulator.url}${path}`, {
      method,
      headers,
      body: body ?? null,
      dispatcher: this.agent,
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Reply> {
    const headers = { 'content-type': 'application/json' };
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.call(method, `/_simulator${path}`, headers, json);
  }

  async scenario(body: unknown): Promise<void> {
    const { status, text } = await this.control('POST', '/scenarios', body);
    if (status !== 201) throw new Error(text);
  }

  /** Undefined leaves a field out. */
  twilio(fields: Record<string, string | undefined>): Promise<Reply> {
    const form: Record<string, string> = {};
    const usual = { From: 'Acme', Body: 'Hello', StatusCallback: this.statusCallback };
    for (const [name, value] of Object.entries({ ...usual, ...fields })) {
      if (value !== undefined) form[name] = value;
    }
    const basic = Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64');
    return this.call(
      'POST',
      `/twilio/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`,
      {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      new URLSearchParams(form).toString(),
    );
  }

  get statusCallback(): string {
    return `${this.receiver.url}/callbacks/twilio/secret?mid=1`;
  }

  africasTalking(fields: Record<string, unknown>): Promise<Reply> {
    return this.call(
      'POST',
      '/africas-talking/version1/messaging/bulk',
      { apikey: API_KEY, accept: 'application/json', 'content-type': 'application/json' },
      JSON.stringify({ username: USERNAME, message: 'Hello', senderId: 'Acme', ...fields }),
    );
  }
}
