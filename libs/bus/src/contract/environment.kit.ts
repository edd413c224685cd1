import type { Topic } from '@watchword/contracts';
import type { Bus, OutgoingMessage, Subscription, SubscriptionOptions } from '../bus.port.js';
import type { Handler, TestPayload } from './messages.kit.js';

/** What an adapter provides for the contract tests. */
export interface BusSystem {
  /** Opens another bus on the same servers, as a second process would. */
  open(topics: readonly Topic[]): Promise<Bus>;
  /** Publishes inside a transaction of the topic's owner. The test ends the transaction. */
  begin(topic: Topic, messages: readonly OutgoingMessage[]): Promise<OpenTransaction>;
  /** Breaks the bus's sessions, as if its process had died. The bus may reconnect. */
  cutOff(bus: Bus): Promise<void>;
  deadLetters(topic: Topic, group: string): Promise<BuriedMessage[]>;
  replayDeadLetters(topic: Topic, group: string): Promise<number>;
  discardDeadLetters(topic: Topic, group: string): Promise<number>;
  stop(): Promise<void>;
}

export interface OpenTransaction {
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

export interface BuriedMessage {
  id: string;
  reason: string;
  attempts: number;
}

/** An adapter's system during its tests. Closing it closes everything opened on it. */
export class BusEnvironment {
  private started: BusSystem | undefined;
  private readonly buses: Bus[] = [];

  constructor(private readonly startSystem: () => Promise<BusSystem>) {}

  get system(): BusSystem {
    if (!this.started) throw new Error('the system has not been started');
    return this.started;
  }

  async start(): Promise<void> {
    this.started = await this.startSystem();
  }

  async stop(): Promise<void> {
    await Promise.all(this.buses.map((bus) => bus.close()));
    await this.started?.stop();
  }

  async open(...topics: Topic[]): Promise<Bus> {
    const bus = await this.system.open(topics);
    this.buses.push(bus);
    return bus;
  }

  async subscribed(
    topic: Topic,
    handle: Handler,
    options: Partial<SubscriptionOptions> = {},
  ): Promise<{ bus: Bus; subscription: Subscription }> {
    const bus = await this.open(topic);
    const subscription = await bus.subscribe<TestPayload>(
      topic,
      { group: 'test.group', ...options },
      handle,
    );
    return { bus, subscription };
  }
}
