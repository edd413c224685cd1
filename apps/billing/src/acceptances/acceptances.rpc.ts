import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  EMAIL_KINDS,
  type AnswerOf,
  billingCalls,
  type Clock,
  isUuid,
  PHONE_KINDS,
  type RequestOf,
  type SendMessage,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import {
  AcceptanceStore,
  type ClaimOfWorkspace,
  type KnownClaim,
  type MessageOfWorkspace,
} from './acceptance.store.js';
import { isFaultOfAnItem } from './batch-fault.js';

const BATCH_SIZE_MAX = 256;
const QUEUE_MAX = 4_096;

/** Look-ups that every send or read waits for, so concurrent ones share a query. */
@Controller()
export class AcceptancesRpc implements OnApplicationShutdown {
  private readonly commands: MicroBatcher<MessageOfWorkspace, SendMessage | null>;
  private readonly claims: MicroBatcher<ClaimOfWorkspace, KnownClaim | null>;

  constructor(
    private readonly store: AcceptanceStore,
    @Inject(CLOCK) private readonly clock: Clock,
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

  @CallPattern(billingCalls, 'findAcceptance')
  async findAcceptance(request: RequestOf<'findAcceptance'>): AnswerOf<'findAcceptance'> {
    const { workspace_id: workspaceId, test_mode: testMode, message_id: messageId } = request;
    if (!isUuid(workspaceId) || !isUuid(messageId)) return { command: null };
    return { command: await this.commands.submit({ workspaceId, testMode, messageId }) };
  }

  @CallPattern(billingCalls, 'findReplay')
  async findReplay({
    workspace_id: workspaceId,
    idempotency,
  }: RequestOf<'findReplay'>): AnswerOf<'findReplay'> {
    const known = await this.claims.submit({ workspaceId, claim: idempotency });
    if (!known) return { verdict: 'new' };
    return known.fingerprint === idempotency.fingerprint && known.command
      ? { verdict: 'replayed', command: known.command }
      : { verdict: 'idempotency_conflict' };
  }

  @CallPattern(billingCalls, 'findFullWindows')
  async findFullWindows({ windows }: RequestOf<'findFullWindows'>): AnswerOf<'findFullWindows'> {
    const at = new Date(this.clock.now());
    return { retry_after_seconds: await this.store.fullWindows(windows, at) };
  }

  @CallPattern(billingCalls, 'listRecentSends')
  async listRecentSends(request: RequestOf<'listRecentSends'>): AnswerOf<'listRecentSends'> {
    const { workspace_id: workspaceId, test_mode: testMode, since, emails = false } = request;
    if (!isUuid(workspaceId)) return { data: [] };
    const scope = { workspaceId, testMode };
    const kinds = emails ? EMAIL_KINDS : PHONE_KINDS;
    return { data: await this.store.recent(scope, new Date(since), kinds) };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.commands.drain(), this.claims.drain()]);
  }
}
