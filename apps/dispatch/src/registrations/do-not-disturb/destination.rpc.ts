import { MicroBatcher } from '@watchword/batching';
import type {
  Clock,
  DestinationFinding,
  DestinationQuestion,
  DispatchCalls,
} from '@watchword/contracts';
import type { Transactional } from '@watchword/postgres';
import { DestinationStore } from './destination.store.js';
import type { JudgeDestinationsHandler } from './judge-destinations.handler.js';

type Calls = Pick<
  DispatchCalls,
  'judgeDestinations' | 'stageDndNumbers' | 'publishDndList' | 'listOptOuts' | 'deleteOptOuts'
>;

const JUDGED_AT_ONCE = 256;
const QUEUE_MAX = 20_000;
/** More than the database needs: a batch can wait for the registry. */
const BATCHES_AT_ONCE = 8;

/** Questions that come together are one statement. */
export class DestinationRpc {
  private readonly store: DestinationStore;
  private readonly questions: MicroBatcher<DestinationQuestion, DestinationFinding>;

  constructor(
    private readonly database: Transactional,
    judging: Pick<JudgeDestinationsHandler, 'judge'>,
    private readonly clock: Clock,
  ) {
    this.store = new DestinationStore(database);
    this.questions = new MicroBatcher({
      name: 'dispatch.destinations',
      flush: (questions) => judging.judge(questions, new Date(this.clock.now())),
      sizeMax: JUDGED_AT_ONCE,
      queueMax: QUEUE_MAX,
      inFlightMax: BATCHES_AT_ONCE,
    });
  }

  readonly calls: Calls = {
    judgeDestinations: async ({ questions }) => ({
      findings: await Promise.all(questions.map((question) => this.questions.submit(question))),
    }),
    stageDndNumbers: async ({ upload_id: uploadId, country_code: countryCode, numbers }) => {
      await this.store.stage(uploadId, countryCode, numbers, new Date(this.clock.now()));
      return {};
    },
    publishDndList: async ({ upload_id: uploadId, country_code: countryCode }) => ({
      numbers: await this.database.transaction((transaction) =>
        new DestinationStore(transaction).publish(uploadId, countryCode),
      ),
    }),
    listOptOuts: async ({ workspace_id: workspaceId, limit, before }) => ({
      data: await this.store.listOptOuts(
        workspaceId,
        limit,
        before && { createdAt: before.created_at, id: before.id },
      ),
    }),
    deleteOptOuts: async ({ workspace_id: workspaceId, destination, sender_id: senderId }) => ({
      deleted: await this.store.deleteOptOuts(workspaceId, destination, senderId),
    }),
  };

  drain(): Promise<void> {
    return this.questions.drain();
  }
}
