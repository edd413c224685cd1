import type { LagReading, QueueBacklog } from '@watchword/bus';
import { askWhenShown, beforeShown, gauge } from '@watchword/observability';
import type { HostBus } from '../adapters/host-bus.js';

const noteBusUnavailable = gauge(
  'watchword_bus_unavailable',
  'Whether messages do not get through now: Kafka does not answer, takes nothing, or hands nothing over.',
);

const noteQueueWaiting = gauge(
  'watchword_message_queue_waiting',
  'Messages in the queue of a service that Kafka has not taken yet, to 10 000 of a topic; all replicas say the same.',
  ['service'],
);

const noteQueueOldestWaiting = gauge(
  'watchword_message_queue_oldest_waiting_seconds',
  'Age of the oldest message in the queue of a service that Kafka has not taken yet.',
  ['service'],
);

const noteWaiting = gauge(
  'watchword_bus_waiting',
  'Messages a consumer group has not handled yet; none is shown while Kafka cannot tell.',
  ['topic', 'group'],
);

const noteOldestWaiting = gauge(
  'watchword_bus_oldest_waiting_seconds',
  'Age of the oldest message that a consumer group has not handled yet: since it reached Kafka or, in one process, since it happened. Over Kafka the value is approximate: up to a second or a quarter too low, never too high, and at most a day.',
  ['topic', 'group'],
);

const noteDependency = gauge(
  'watchword_dependency_up',
  'Whether what this process depends on answers: `database`, `bus`, `redis`, and the services it calls.',
  ['dependency'],
);

/**
 * Shows each dependency, as 0 while it is unavailable. `check` answers in time. Returns a function
 * that ends it.
 */
export function measureDependencies(check: () => Promise<Record<string, boolean>>): () => void {
  return beforeShown(async () => {
    for (const [dependency, isUp] of Object.entries(await check())) {
      noteDependency({ dependency }, isUp ? 1 : 0);
    }
  });
}

/** Measures the bus. Returns a function that ends it. */
export function measureBus(hostBus: Pick<HostBus, 'check' | 'lag' | 'backlogs'>): () => void {
  const ends = [
    askWhenShown(
      () => hostBus.check().then(() => 0),
      (isUnavailable = 1) => noteBusUnavailable({}, isUnavailable),
    ),
    askWhenShown(() => hostBus.lag(), showLag),
    askWhenShown(() => hostBus.backlogs(), showBacklogs),
  ];
  return () => ends.forEach((end) => end());
}

function showLag(readings: readonly LagReading[] = []): void {
  noteWaiting.forget();
  noteOldestWaiting.forget();
  for (const { topic, group, waiting, oldestSeconds } of readings) {
    noteWaiting({ topic, group }, waiting);
    noteOldestWaiting({ topic, group }, oldestSeconds);
  }
}

function showBacklogs(backlogs: readonly QueueBacklog[] = []): void {
  noteQueueWaiting.forget();
  noteQueueOldestWaiting.forget();
  for (const { service, waiting, oldestSeconds } of backlogs) {
    noteQueueWaiting({ service }, waiting);
    noteQueueOldestWaiting({ service }, oldestSeconds);
  }
}
