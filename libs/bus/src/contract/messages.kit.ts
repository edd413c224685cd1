import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { ServiceName, Topic } from '@watchword/contracts';
import type { IncomingMessage, OutgoingMessage } from '../bus.port.js';

export interface TestPayload {
  n: number;
}

export function newTopic(owner: ServiceName = 'billing', groups = ['test.group']): Topic {
  return {
    name: `test.${randomUUID()}.v1`,
    purpose: 'A test.',
    owner,
    readers: ['dispatch'],
    groups,
    key: 'anything',
    partitions: 2,
    retentionHours: 1,
    messages: { 'test.happened.v1': Type.Object({ n: Type.Integer() }) },
  };
}

export function message(n: number, key = 'k', payload = JSON.stringify({ n })): OutgoingMessage {
  const time = new Date().toISOString();
  return { id: `message-${n}`, key, type: 'test.happened.v1', payload, time };
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export type Handler = (batch: IncomingMessage<TestPayload>[]) => Promise<void>;

/** Records handled messages in order. */
export class Recorder {
  readonly seen: IncomingMessage<TestPayload>[] = [];

  handle: Handler = async (batch) => {
    this.seen.push(...batch);
  };

  get numbers(): number[] {
    return this.seen.map((one) => one.payload.n);
  }
}

/** Returns a promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
