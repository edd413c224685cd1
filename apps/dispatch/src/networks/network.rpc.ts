import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import { type AnswerOf, type Clock, dispatchCalls, type RequestOf } from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { NumberNetworkStore } from './number-network.store.js';

const ASKED_AT_ONCE = 256;
const QUEUE_MAX = 20_000;

/** Concurrent questions share a statement. */
@Controller()
export class NetworkRpc implements OnApplicationShutdown {
  private readonly questions: MicroBatcher<string, string | null>;

  constructor(@Inject(DATABASE) database: Queryable, @Inject(CLOCK) clock: Clock) {
    const store = new NumberNetworkStore(database);
    this.questions = new MicroBatcher({
      name: 'dispatch.networks',
      flush: (destinations) => store.find(destinations, new Date(clock.now())),
      sizeMax: ASKED_AT_ONCE,
      queueMax: QUEUE_MAX,
    });
  }

  @CallPattern(dispatchCalls, 'findNetwork')
  async findNetwork({ destination }: RequestOf<'findNetwork'>): AnswerOf<'findNetwork'> {
    return { network: await this.questions.submit(destination) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.questions.drain();
  }
}
