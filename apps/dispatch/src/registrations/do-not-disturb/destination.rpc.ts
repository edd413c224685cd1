import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  type AnswerOf,
  type Clock,
  type DestinationFinding,
  type DestinationQuestion,
  dispatchCalls,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { DestinationStore } from './destination.store.js';
import { JudgeDestinationsHandler } from './judge-destinations.handler.js';

const JUDGED_AT_ONCE = 256;
const QUEUE_MAX = 20_000;
/** Where a batch can wait for the registry. The database alone gets one at a time, so that batches grow. */
const BATCHES_AT_ONCE = 8;

/** Concurrent questions share a statement. */
@Controller()
export class DestinationRpc implements OnApplicationShutdown {
  private readonly store: DestinationStore;
  private readonly questions: MicroBatcher<DestinationQuestion, DestinationFinding>;

  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(JudgeDestinationsHandler)
    judging: Pick<JudgeDestinationsHandler, 'judge' | 'asksRegistry'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.store = new DestinationStore(database);
    this.questions = new MicroBatcher({
      name: 'dispatch.destinations',
      flush: (questions) => judging.judge(questions, new Date(this.clock.now())),
      sizeMax: JUDGED_AT_ONCE,
      queueMax: QUEUE_MAX,
      inFlightMax: judging.asksRegistry ? BATCHES_AT_ONCE : 1,
    });
  }

  @CallPattern(dispatchCalls, 'judgeDestinations')
  async judgeDestinations({
    questions,
  }: RequestOf<'judgeDestinations'>): AnswerOf<'judgeDestinations'> {
    return {
      findings: await Promise.all(questions.map((question) => this.questions.submit(question))),
    };
  }

  @CallPattern(dispatchCalls, 'stageDndNumbers')
  async stageDndNumbers({
    upload_id: uploadId,
    country_code: countryCode,
    numbers,
  }: RequestOf<'stageDndNumbers'>): AnswerOf<'stageDndNumbers'> {
    await this.store.stage(uploadId, countryCode, numbers, new Date(this.clock.now()));
    return {};
  }

  @CallPattern(dispatchCalls, 'publishDndList')
  async publishDndList({
    upload_id: uploadId,
    country_code: countryCode,
  }: RequestOf<'publishDndList'>): AnswerOf<'publishDndList'> {
    return {
      numbers: await this.database.transaction((transaction) =>
        new DestinationStore(transaction).publish(uploadId, countryCode),
      ),
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.questions.drain();
  }
}
