import { type Clock, systemClock } from '@watchword/contracts';
import type { Capacity } from '../capacity/capacity.js';
import {
  type DndCapable,
  forAllKinds,
  type Provider,
  type SubmitOutcome,
  type SubmitRequest,
} from '../provider.port.js';
import { CarrierHttpClient } from './carrier-http.client.js';
import type { ExchangeResult } from './exchange.js';
import { type Answered, outcomeWithoutAnswer, type SubmitDeadlines } from './outcome.policy.js';

export interface HttpAccount {
  /** Id of the account. */
  id: string;
  capacity: Capacity;
  /** For example `https://api.twilio.com`. May have a path. */
  baseUrl: string;
  /** Sender of messages that name none. */
  defaultSenderId: string;
  /** False for all kinds unless set. */
  dndCapable?: DndCapable | undefined;
  senderNumber?: string | null | undefined;
  deadlines: SubmitDeadlines;
  clock?: Clock | undefined;
}

/** A provider that takes a message in one HTTP request. */
export abstract class HttpProvider<Account extends HttpAccount> implements Provider {
  abstract readonly carrier: string;
  readonly name: string;
  readonly dndCapable: DndCapable;
  readonly defaultSenderId: string;
  readonly senderNumber: string | null;
  readonly capacity: Capacity;
  protected readonly clock: Clock;
  private readonly http: CarrierHttpClient;
  private readonly path: string;

  constructor(
    protected readonly settings: Account,
    path: string,
    private readonly headers: Record<string, string>,
  ) {
    this.name = settings.id;
    this.dndCapable = settings.dndCapable ?? forAllKinds(false);
    this.defaultSenderId = settings.defaultSenderId;
    this.senderNumber = settings.senderNumber ?? null;
    this.capacity = settings.capacity;
    this.clock = settings.clock ?? systemClock;
    this.http = new CarrierHttpClient(settings.baseUrl, settings.capacity.concurrency);
    this.path = this.http.pathOf(path);
  }

  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    const deadlineMs = this.settings.deadlines[request.kind];
    const options = { deadlineMs, traceparent: request.traceparent };
    const exchange = await this.http.post(this.path, this.headers, this.bodyOf(request), options);
    if (exchange.kind !== 'answered') return outcomeWithoutAnswer(exchange);
    return this.outcomeOf(exchange, request);
  }

  async start(): Promise<void> {}

  ready(): boolean {
    return this.http.isOpen;
  }

  stop(): Promise<void> {
    return this.http.close();
  }

  /** Asks the carrier a question about an earlier submit. */
  protected ask(path: string): Promise<ExchangeResult> {
    const options = { deadlineMs: this.settings.deadlines.sms };
    return this.http.get(this.http.pathOf(path), this.headers, options);
  }

  protected abstract bodyOf(request: SubmitRequest): string;
  protected abstract outcomeOf(answer: Answered, request: SubmitRequest): SubmitOutcome;
}
