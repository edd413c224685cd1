import { MicroBatcher } from '@watchword/batching';
import { type BillingCalls, type Clock, isUuid, type SendMessage } from '@watchword/contracts';
import type {
  AcceptanceStore,
  ClaimOfWorkspace,
  KnownClaim,
  MessageOfWorkspace,
} from './acceptance.store.js';
import { isFaultOfAnItem } from './batch-fault.js';

const BATCH_SIZE_MAX = 256;
const QUEUE_MAX = 4_096;

/** Look-ups that stand in the way of every send or read, so concurrent ones share a query. */
export class AcceptancesRpc {
  private readonly commands: MicroBatcher<MessageOfWorkspace, SendMessage | null>;
  private readonly claims: MicroBatcher<ClaimOfWorkspace, KnownClaim | null>;

  constructor(
    private readonly store: AcceptanceStore,
    clock: Clock,
  ) {
    const bounds = { sizeMax: BATCH_SIZE_MAX, queueMax: QUEUE_MAX, isolate: isFaultOfAnItem };
    this.commands = new MicroBatcher({
      ...bounds,
      name: 'billing.find-acceptance',
      flush: (wanted) => store.findCommands(wanted),
    });
    this.claims = new MicroBatcher({
      ...bounds,
      name: 'billing.find-replay',
      flush: (wanted) => store.findClaims(wanted, new Date(clock.now())),
    });
  }

  findAcceptance: BillingCalls['findAcceptance'] = async (request) => {
    const { workspace_id: workspaceId, test_mode: testMode, message_id: messageId } = request;
    if (!isUuid(workspaceId) || !isUuid(messageId)) return { command: null };
    return { command: await this.commands.submit({ workspaceId, testMode, messageId }) };
  };

  findReplay: BillingCalls['findReplay'] = async ({ workspace_id: workspaceId, idempotency }) => {
    const known = await this.claims.submit({ workspaceId, claim: idempotency });
    if (!known) return { verdict: 'new' };
    return known.fingerprint === idempotency.fingerprint && known.command
      ? { verdict: 'replayed', command: known.command }
      : { verdict: 'idempotency_conflict' };
  };

  listAcceptances: BillingCalls['listAcceptances'] = async ({ since, until, after, limit }) => {
    const data = await this.store.accepted(new Date(since), new Date(until), after, limit);
    const last = data.length === limit ? data.at(-1) : undefined;
    return last === undefined ? { data } : { data, next_after: last.message_id };
  };

  listRecentSends: BillingCalls['listRecentSends'] = async (request) => {
    const { workspace_id: workspaceId, test_mode: testMode, since } = request;
    if (!isUuid(workspaceId)) return { data: [] };
    return { data: await this.store.recent(workspaceId, testMode, new Date(since)) };
  };

  async drain(): Promise<void> {
    await Promise.all([this.commands.drain(), this.claims.drain()]);
  }
}
