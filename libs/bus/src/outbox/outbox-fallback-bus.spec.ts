import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TOPICS } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { type Bus, type OutgoingMessage, TransientError } from '../bus.port.js';
import { OutboxFallbackBus } from './outbox-fallback-bus.js';

const topic = TOPICS.deliveryReports;

function message(id: string): OutgoingMessage {
  return {
    id,
    key: id,
    type: 'svc.delivery-report.v1',
    payload: '{}',
    time: '2026-11-21T00:00:00Z',
  };
}

let kafka: { resolve: () => void; reject: (error: Error) => void; id: string }[];
let kept: string[];
let lines: string[];
let bus: OutboxFallbackBus;

beforeEach(() => {
  jest.useFakeTimers();
  kafka = [];
  kept = [];
  lines = [];
  const target = {
    publish: (_: unknown, [first]: readonly OutgoingMessage[]) =>
      new Promise<void>((resolve, reject) => kafka.push({ resolve, reject, id: first!.id })),
  } as unknown as Bus;
  const outbox = {
    service: 'gateway' as const,
    write: async (_: unknown, messages: readonly OutgoingMessage[]) => {
      kept.push(...messages.map(({ id }) => id));
    },
  };
  const logger = createLogger({ service: 'test', level: 'info' }, { write: (l) => lines.push(l) });
  bus = new OutboxFallbackBus(target, [outbox], logger);
});

afterEach(() => {
  jest.useRealTimers();
});

describe('publishing', () => {
  it('goes straight to Kafka while that answers', async () => {
    const publishing = bus.publish(topic, [message('a')]);
    kafka[0]!.resolve();
    await publishing;
    expect(kept).toEqual([]);
  });

  it('goes into the outbox when Kafka is away', async () => {
    const publishing = bus.publish(topic, [message('a')]);
    kafka[0]!.reject(new TransientError('away'));
    await publishing;
    expect(kept).toEqual(['a']);
  });

  it('waits ten seconds for a Kafka that hangs, once, and asks again when it has said something', async () => {
    const first = bus.publish(topic, [message('a')]);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(kept).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await first;
    await bus.publish(topic, [message('b')]);
    expect(kept).toEqual(['a', 'b']);
    expect(kafka.map(({ id }) => id)).toEqual(['a']);

    kafka[0]!.reject(new TransientError('still away'));
    await jest.advanceTimersByTimeAsync(0);
    const probe = bus.publish(topic, [message('c')]);
    kafka[1]!.resolve();
    await probe;
    expect(kept).toEqual(['a', 'b']);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'Kafka unavailable, publishing through the outbox',
      'publishing to Kafka directly again',
    ]);
  });

  it('fails where the message is to blame', async () => {
    const publishing = bus.publish(topic, [message('a')]);
    kafka[0]!.reject(new Error('too large'));
    await expect(publishing).rejects.toThrow('too large');
    expect(kept).toEqual([]);
  });

  it('of a topic whose outbox is elsewhere only goes straight', async () => {
    const publishing = bus.publish(TOPICS.sendCommands, [message('a')]);
    kafka[0]!.reject(new TransientError('away'));
    await expect(publishing).rejects.toThrow('away');
  });
});
