import { Injectable } from '@nestjs/common';
import { type AnswerOf, eventIdFloor, idFloor, type RequestOf } from '@watchword/contracts';
import { erasedBody, soughtOf } from '../payloads/erased-body.policy.js';
import { type EventBodies, EventErasureStore } from './event-erasure.store.js';

/**
 * Erases a number or an address from events and from the answers of receivers, a slice a call. Ids,
 * types and numbers of events stay. A delivery that is not made yet takes the erased body.
 */
@Injectable()
export class EraseEventsHandler {
  constructor(private readonly store: EventErasureStore) {}

  async eraseEvents({ to, erased, after }: RequestOf<'eraseEvents'>): AnswerOf<'eraseEvents'> {
    const sought = soughtOf(to);
    const { found, next } = await this.store.find(after ?? eventIdFloor(0), sought);
    const without = (body: string | null) => body && erasedBody(body, sought, erased);
    const bodies: EventBodies[] = found
      .map((event) => ({ event, a: without(event.a), b: without(event.b) }))
      .filter(({ a, b }) => a !== null || b !== null)
      .map(({ event, a, b }) => ({ id: event.id, a: a ?? event.a, b: b ?? event.b }));
    await this.store.write(bodies);
    return { count: bodies.length, next };
  }

  async eraseAttempts({
    to,
    after,
  }: RequestOf<'eraseWebhookAttempts'>): AnswerOf<'eraseWebhookAttempts'> {
    return this.store.eraseAttempts(after ?? idFloor(0), soughtOf(to));
  }
}
