import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { Change, ChangeListener } from '../../invalidation/change.js';
import type { GatewayLease } from '../../invalidation/gateway-lease.js';
import defaults from './data/protected-sender-ids.json' with { type: 'json' };
import type { ProtectedSenderIdStore } from './protected-sender-ids.store.js';
import { foldSenderId } from './sender-id-fold.policy.js';

export interface SenderUse {
  readonly workspaceId: string;
  readonly senderId: string | null;
  readonly countryCode: string;
}

/** True when the workspace has an approved registration of this sender ID for this country. */
export type RegistrationLookUp = (use: SenderUse & { senderId: string }) => Promise<boolean>;

/** Names of banks and operators, in memory because every live SMS reads them. */
export class ProtectedSenderIds implements ChangeListener {
  private names: readonly string[] = defaults.sender_ids;
  private folded: ReadonlySet<string> = new Set(this.names.map(foldSenderId));

  constructor(
    private readonly store: ProtectedSenderIdStore,
    private readonly lease: Pick<GatewayLease, 'everyoneKnows'>,
    private readonly isRegistered: RegistrationLookUp,
  ) {}

  get current(): readonly string[] {
    return this.names;
  }

  async load(): Promise<void> {
    this.names = (await this.store.read()) ?? defaults.sender_ids;
    this.folded = new Set(this.names.map(foldSenderId));
  }

  /** Answers once every gateway acts on it. */
  async replace(names: readonly string[]): Promise<readonly string[]> {
    const kept = [...new Set(names)].toSorted();
    await this.store.replace(kept);
    await this.lease.everyoneKnows();
    return kept;
  }

  /** Refuses a live SMS with a protected name that the workspace has not registered. */
  async check(use: SenderUse): Promise<void> {
    const { senderId } = use;
    if (senderId === null || !this.folded.has(foldSenderId(senderId))) return;
    if (await this.isRegistered({ ...use, senderId })) return;
    throw new ApiError('sender_id_invalid', {
      field: 'sender_id',
      message: ERROR_MESSAGES.protectedSenderId,
    });
  }

  async changed({ kind }: Change): Promise<void> {
    if (kind === 'sender_names') await this.load();
  }

  async forgetAll(): Promise<void> {
    await this.load();
  }
}
