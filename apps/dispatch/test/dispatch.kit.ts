import { createHash } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { type Bus, type IncomingMessage, type Subscription } from '@watchword/bus';
import { loadConfig } from '@watchword/config';
import {
  type AccountEvent,
  asId,
  callRoute,
  type CallsOf,
  type Clock,
  type CreditEvent,
  type DeliveryReport,
  type DispatchCalls,
  dispatchCalls,
  type EmailReport,
  type InboundMessage,
  type MessageEvent,
  type MessageId,
  newId,
  OPERATIONS,
  type Outcome,
  type RefundMessage,
  type Route,
  type RouteRequest,
  type SendMessage,
  type SendPlatformEmail,
  systemClock,
  type Topic,
  TOPICS,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import {
  type Capacity,
  type DndCapable,
  forAllKinds,
  type Provider,
  type ReportSink,
  type SubmitOutcome,
  type SubmitRequest,
} from '@watchword/carriers';
import type { Rpc } from '@watchword/rpc';
import {
  eventually,
  startService,
  type TestDatabase,
  testDatabase,
  testPlatform,
} from '@watchword/testing';
import { DispatchModule } from '../src/dispatch.module.js';
import { DueEmailsJob } from '../src/emails/due-emails.job.js';
import { DueEmailsPoll } from '../src/emails/due-emails-poll.js';
import { EMAIL_PARTS, type EmailParts } from '../src/emails/email-parts.port.js';
import { SENDER_RULES_TIMES } from '../src/registrations/senders/cached-sender-rules.js';
import { CARRIERS, configuredProviders } from '../src/routing/configured-providers.js';
import { dispatchService } from '../src/index.js';
import { DueMessagesJob } from '../src/scheduling/due-messages.job.js';
import { HoldCommandsHandler } from '../src/suspensions/hold-commands.handler.js';

/** A provider that the test scripts, and that records what it was asked. */
export class ScriptedProvider implements Provider {
  readonly carrier = 'scripted';
  readonly submits: SubmitRequest[] = [];
  defaultSenderId: string | null = 'Watchword';
  senderNumber: string | null = null;
  dndCapable: DndCapable;
  answer: (request: SubmitRequest) => Promise<SubmitOutcome> | SubmitOutcome;
  query?: (messageId: string) => Promise<SubmitOutcome>;

  constructor(
    readonly name: string,
    isDndCapable = false,
    readonly capacity: Capacity = { concurrency: 256, messagesPerSecond: null, waitingMax: 1_024 },
  ) {
    this.dndCapable = forAllKinds(isDndCapable);
    this.answer = ({ messageId }) => accepted(`${name}-${messageId}`);
  }

  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    this.submits.push(request);
    return this.answer(request);
  }

  async start(_onReports: ReportSink): Promise<void> {}

  ready(): boolean {
    return true;
  }

  async stop(): Promise<void> {}
}

export function accepted(providerMessageId: string): SubmitOutcome {
  return { outcome: 'accepted', providerMessageId };
}

export function refused(
  reason: Extract<SubmitOutcome, { outcome: 'refused' }>['reason'],
  retryAfterMs?: number,
): SubmitOutcome {
  return { outcome: 'refused', reason, rawCode: '99', rawMessage: 'no', retryAfterMs };
}

export const UNANSWERED: SubmitOutcome = { outcome: 'ambiguous', rawCode: null, rawMessage: null };

type Handle = (batch: IncomingMessage[]) => Promise<void>;

/** A bus that delivers a batch when the test says so. Published rows stay in the queue. */
class HandBus implements Bus {
  private readonly readers: { topic: string; handle: Handle }[] = [];

  async publish(): Promise<void> {
    throw new Error('dispatch publishes through its queue');
  }

  async subscribe<Payload>(
    topic: Topic,
    _options: unknown,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription> {
    const reader = { topic: topic.name, handle: handle as Handle };
    this.readers.push(reader);
    return { close: async () => void this.readers.splice(this.readers.indexOf(reader), 1) };
  }

  async deliver(topic: Topic, payloads: readonly unknown[]): Promise<void> {
    const reader = this.readers.find((one) => one.topic === topic.name);
    if (!reader) throw new Error(`nobody reads ${topic.name}`);
    const time = new Date().toISOString();
    await reader.handle(
      payloads.map((payload) => ({ id: newId(), key: '', type: topic.name, time, payload })),
    );
  }

  async close(): Promise<void> {}
}

/** One process of the service. */
export interface Running {
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export interface Kit {
  readonly database: TestDatabase;
  readonly calls: DispatchCalls;
  /** Calls a route of dispatch, as the gateway does. */
  serve<Body>(route: Route, request: RouteRequest): Promise<Outcome<Body>>;
  readonly africasTalking: ScriptedProvider;
  readonly twilio: ScriptedProvider;
  send(...commands: SendMessage[]): Promise<void>;
  report(...reports: DeliveryReport[]): Promise<void>;
  account(...events: AccountEvent[]): Promise<void>;
  inbound(...messages: InboundMessage[]): Promise<void>;
  refund(...messageIds: string[]): Promise<void>;
  emailReports(...reports: EmailReport[]): Promise<void>;
  platformEmails(...commands: SendPlatformEmail[]): Promise<void>;
  events(messageId?: string): Promise<MessageEvent[]>;
  refundCommands(): Promise<RefundMessage[]>;
  stored(messageId: string): Promise<Record<string, unknown>>;
  /** Waits until the message has the state in the database. */
  until(messageId: string, state: string): Promise<void>;
  /** What dispatch adds to the messages that its process has in hand. */
  start(): Promise<Running>;
  /** Runs the jobs of due work in every process. */
  sweep(): Promise<void>;
  /** Stops all processes and starts one, which remembers nothing. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface KitOptions {
  clock?: Clock;
  /** Stands in the place of `africasTalking`. */
  first?: Provider;
  /** Capacity of each of the two scripted accounts. */
  capacity?: Capacity;
  /** Uses real simulated providers for test mode instead of the scripted ones. */
  simulated?: boolean;
  /** Scripted providers of emails, and what else emails need. */
  email?: EmailParts;
  /** Settings that differ from the defaults. */
  config?: Partial<Platform['config']>;
  /** Milliseconds for which a stop awaits open calls. */
  graceMs?: number;
}

export async function startKit(options: KitOptions = {}): Promise<Kit> {
  const { clock = systemClock } = options;
  const database = await testDatabase({
    service: 'dispatch',
    migrations: dispatchService.migrations,
    functions: dispatchService.functions,
    poolSize: 4,
  });
  const africasTalking = new ScriptedProvider('africas_talking', false, options.capacity);
  const twilio = new ScriptedProvider('twilio', true, options.capacity);
  const providers = new Map<string, Provider>(
    [options.first ?? africasTalking, twilio].map((provider) => [provider.name, provider]),
  );
  const bus = new HandBus();
  let calls: DispatchCalls | undefined;
  let operations: CallsOf<typeof OPERATIONS.dispatch> = {};
  const rpc = {
    serve: (declared: unknown, implementation: never) => {
      if (declared === dispatchCalls) calls = implementation;
      else operations = implementation;
    },
  } as unknown as Rpc;
  const { config } = loadConfig({});
  const platform = testPlatform({
    config: {
      ...config,
      pepper: 'p'.repeat(32),
      encryptionKeys: ['0f'.repeat(32)],
      ...options.config,
    },
    database,
    bus,
    rpc,
    logger: createLogger({ service: 'dispatch', level: 'silent' }),
    clock,
    ...(options.graceMs !== undefined && { graceMs: () => options.graceMs! }),
  });
  const running: Running[] = [];
  const start = async () => {
    const { config, logger } = platform;
    const simulated = options.simulated && (await configuredProviders(config, clock, logger));
    const builder = Test.createTestingModule({ imports: [DispatchModule.with(platform)] })
      .overrideProvider(CARRIERS)
      .useValue(simulated || providers)
      .overrideProvider(SENDER_RULES_TIMES)
      .useValue({ heldMs: 0, settledMs: 0 });
    if (options.email) builder.overrideProvider(EMAIL_PARTS).useValue(options.email);
    const module = await builder.compile();
    const service = await startService(module);
    const sweep = async () => {
      const now = new Date(clock.now());
      const [messages, emails] = [
        module.get(DueMessagesJob, { strict: false }),
        module.get(DueEmailsJob, { strict: false }),
      ];
      messages.pollAt(now);
      module.get(DueEmailsPoll, { strict: false }).pollAt(now);
      await Promise.all([
        messages.run(),
        emails.run(),
        module.get(HoldCommandsHandler, { strict: false }).release(),
      ]);
    };
    const dispatch = { sweep, stop: once(() => service.close()) };
    running.push(dispatch);
    return dispatch;
  };
  await start();
  const kit: Kit = {
    database,
    get calls() {
      if (!calls) throw new Error('not served');
      return calls;
    },
    serve: (route, request) => callRoute(operations, route, request),
    africasTalking,
    twilio,
    start,
    send: (...commands) => bus.deliver(TOPICS.sendCommands, commands),
    account: (...events) => bus.deliver(TOPICS.accountEvents, events),
    report: (...reports) => bus.deliver(TOPICS.deliveryReports, reports),
    emailReports: (...reports) => bus.deliver(TOPICS.emailReports, reports),
    platformEmails: (...commands) => bus.deliver(TOPICS.platformEmails, commands),
    inbound: (...messages) => bus.deliver(TOPICS.inboundMessages, messages),
    refund: (...messageIds) =>
      bus.deliver(
        TOPICS.creditEvents,
        messageIds.map((id) => creditRefunded(asId(id))),
      ),
    events: async (messageId) => {
      const { rows } = await database.pool.query<{ payload: string }>(
        `SELECT payload FROM message_queue WHERE topic = $1 AND ($2::text IS NULL OR key = $2)
         ORDER BY position`,
        [TOPICS.messageEvents.name, messageId ?? null],
      );
      return rows.map(({ payload }) => JSON.parse(payload) as MessageEvent);
    },
    refundCommands: async () => {
      const { rows } = await database.pool.query<{ payload: string }>(
        'SELECT payload FROM message_queue WHERE topic = $1 ORDER BY position',
        [TOPICS.refundCommands.name],
      );
      return rows.map(({ payload }) => JSON.parse(payload) as RefundMessage);
    },
    stored: async (messageId) => {
      const { rows } = await database.pool.query('SELECT * FROM messages WHERE id = $1', [
        messageId,
      ]);
      return rows[0] ?? {};
    },
    until: async (messageId, state) => {
      await eventually(async () => {
        const { state: found } = await kit.stored(messageId);
        if (found !== state) throw new Error(`${messageId} is ${String(found)}, not ${state}`);
      });
    },
    async sweep() {
      for (const dispatch of running) await dispatch.sweep();
    },
    async restart() {
      for (const dispatch of running.splice(0)) await dispatch.stop();
      await start();
    },
    async close() {
      for (const dispatch of running) await dispatch.stop();
      await database.drop();
    },
  };
  return kit;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function creditRefunded(messageId: MessageId): CreditEvent {
  return {
    type: 'credit.refunded',
    workspace_id: newId(),
    message_id: messageId,
    entry_id: newId(),
    credits: 5,
    balance_after: 100,
    occurred_at: new Date().toISOString(),
  };
}

/** Returns the code in the text. */
export function codeIn(request: SubmitRequest | undefined): string {
  const code = /code is (\d+)/.exec(request?.body ?? '')?.[1];
  if (!code) throw new Error('there is no code in the text');
  return code;
}

/** Returns a wrong code of the same length. */
export function wrongCode(right: string): string {
  const digit = (Number(right[0]) + 1) % 10;
  return `${digit}${right.slice(1)}`;
}

export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
