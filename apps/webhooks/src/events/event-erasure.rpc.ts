import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  eventIdFloor,
  idFloor,
  type RequestOf,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { erasedBody, soughtOf } from '../payloads/erased-body.policy.js';
import { EventErasureStore } from './event-erasure.store.js';

const ATTEMPT = 'attempt ';

/**
 * Erases a number or an address from events, and then from the answers of receivers. Ids, types and numbers of
 * events stay. A delivery that is not made yet takes the erased body.
 */
@Controller()
export class EventErasureRpc {
  constructor(private readonly store: EventErasureStore) {}

  @CallPattern(webhooksCalls, 'eraseEvents')
  async eraseEvents(request: RequestOf<'eraseEvents'>): AnswerOf<'eraseEvents'> {
    const { to, after } = request;
    const isAddress = to.includes('@');
    const sought = isAddress ? to.toLowerCase() : to.slice(1);
    if (after?.startsWith(ATTEMPT)) {
      const id = after.slice(ATTEMPT.length);
      const { count, next } = await this.store.eraseAttempts(id, sought, isAddress);
      return { events: 0, attempts: count, next: next && `${ATTEMPT}${next}` };
    }
    const { found, next } = await this.store.find(after ?? eventIdFloor(0), sought, isAddress);
    const events = await this.erase(found, request);
    return { events, attempts: 0, next: next ?? `${ATTEMPT}${idFloor(0)}` };
  }

  private async erase(
    found: Awaited<ReturnType<EventErasureStore['find']>>['found'],
    { to, erased }: RequestOf<'eraseEvents'>,
  ): Promise<number> {
    const sought = soughtOf(to);
    const without = (body: string | null) => body && erasedBody(body, sought, erased);
    const bodies = found
      .map((event) => ({ event, a: without(event.a), b: without(event.b) }))
      .filter(({ a, b }) => a !== null || b !== null)
      .map(({ event, a, b }) => ({ id: event.id, a: a ?? event.a, b: b ?? event.b }));
    await this.store.write(bodies);
    return bodies.length;
  }
}
