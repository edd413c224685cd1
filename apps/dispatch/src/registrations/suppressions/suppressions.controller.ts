import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  ApiError,
  badCursor,
  type CreateSuppressionBody,
  dispatchCalls,
  type EmailAddressSuppression,
  type EmailSuppression,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  MomentCursor,
  type Outcome,
  type Page,
  PLATFORM_WORKSPACE_ID,
  type RequestOf,
  routes,
  type Suppression,
  type SuppressionQuery,
  type SuppressionsQuery,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { isAddress, maskAddress, parseMailbox } from '@watchword/email';
import {
  Body,
  Caller,
  CallPattern,
  Claim,
  DATABASE,
  KeyedAnswers,
  Operation,
  Parameter,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { DestinationStore } from '../do-not-disturb/destination.store.js';
import { EmailSuppressionStore } from './email-suppression.store.js';

/** Time and id of the last shown entry. */
const cursors = new MomentCursor('suppressions');

interface Position {
  readonly created_at: string;
  readonly id: string;
}

interface Entry extends Position {
  readonly shown: Suppression;
}

/** The suppressions of one channel. */
interface Suppressions {
  list(workspaceId: WorkspaceId, limit: number, before: Position | null): Promise<Entry[]>;
  delete(workspaceId: WorkspaceId, address: string, senderId: string | undefined): Promise<void>;
}

/** `/v1/suppressions`: numbers that opted out of a sender ID, and suppressed email addresses. */
@Controller()
export class SuppressionsController {
  private readonly channels: Readonly<Record<Suppression['channel'], Suppressions>> = {
    sms: {
      list: (workspaceId, limit, before) => this.listOptOuts(workspaceId, limit, before),
      delete: async (workspaceId, number, senderId) => {
        const deleted = await this.optOuts.deleteOptOuts(workspaceId, number, senderId ?? null);
        if (deleted === 0) throw unknownResource('suppression');
      },
    },
    email: {
      list: (workspaceId, limit, before) => this.listAddresses(workspaceId, limit, before),
      delete: (workspaceId, address, senderId) => {
        if (senderId !== undefined) throw senderIdOfEmail();
        return this.deleteAddress(workspaceId, address, false);
      },
    },
  };
  private readonly addresses: EmailSuppressionStore;
  private readonly optOuts: DestinationStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly keyed: KeyedAnswers,
  ) {
    this.addresses = new EmailSuppressionStore(database);
    this.optOuts = new DestinationStore(database);
  }

  @Operation(routes.createSuppression)
  async create(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Body() body: CreateSuppressionBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<EmailAddressSuppression>> {
    const address = readAddress(body.address);
    return this.keyed.once(workspaceId, claim, async (transaction, at) => {
      const entry = { workspaceId, address, origin: 'manual', scope: 'all', at } as const;
      const [added] = await new EmailSuppressionStore(transaction).add([entry]);
      if (added === undefined) throw new Error('a suppression was not written');
      return { body: ofAddress(added.suppression), unchanged: !added.isNew };
    });
  }

  @Operation(routes.listSuppressions)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() { limit, cursor, channel }: SuppressionsQuery,
  ): Promise<Outcome<Page<Suppression>>> {
    const before = positionOf(cursor);
    const lists = channel === undefined ? Object.values(this.channels) : [this.channels[channel]];
    const found = await Promise.all(lists.map((one) => one.list(workspaceId, limit + 1, before)));
    const entries = found.flat().toSorted(newestFirst);
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    const page: Page<Suppression> = { data: shown.map((entry) => entry.shown) };
    if (entries.length > limit && last) {
      page.next_cursor = cursors.after({ createdAt: last.created_at, id: last.id });
    }
    return { body: page };
  }

  /** An address with an at sign is an email address, unless the query names the channel. */
  @Operation(routes.deleteSuppression)
  async delete(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Parameter('address') address: string,
    @Query() { channel, sender_id: senderId }: SuppressionQuery,
  ): Promise<Outcome> {
    const meant = channel ?? (isAddress(address) ? 'email' : 'sms');
    await this.channels[meant].delete(workspaceId, address, senderId);
    return {};
  }

  @Operation(routes.deleteWorkspaceSuppression)
  async deleteOfWorkspace(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Parameter('address') address: string,
  ): Promise<Outcome> {
    await this.deleteAddress(workspaceId, address, true);
    return { effect: { workspace_id: workspaceId, address: maskAddress(address) } };
  }

  @Operation(routes.deletePlatformSuppression)
  async deleteOfPlatform(@Parameter('address') address: string): Promise<Outcome> {
    await this.deleteAddress(PLATFORM_WORKSPACE_ID, address, true);
    return { effect: { address: maskAddress(address) } };
  }

  @CallPattern(dispatchCalls, 'judgeEmails')
  async judgeEmails({ questions }: RequestOf<'judgeEmails'>): AnswerOf<'judgeEmails'> {
    const verdicts = await this.addresses.judge(questions);
    const findings = verdicts.map(({ isVerified, suppressed }) => ({
      is_verified: isVerified,
      suppressed,
    }));
    return { findings };
  }

  /** Only an operator deletes a complaint. */
  private async deleteAddress(
    workspaceId: WorkspaceId,
    given: string,
    isByOperator: boolean,
  ): Promise<void> {
    const address = bareAddress(given);
    if (address === null) throw unknownResource('suppression');
    const verdict = await this.addresses.delete(workspaceId, address, isByOperator);
    if (verdict === 'not_found') throw unknownResource('suppression');
    if (verdict === 'complaint') {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.complaintStays });
    }
  }

  private async listOptOuts(
    workspaceId: WorkspaceId,
    limit: number,
    before: Position | null,
  ): Promise<Entry[]> {
    const position = before && { createdAt: before.created_at, id: before.id };
    const found = await this.optOuts.listOptOuts(workspaceId, limit, position);
    return found.map(({ id, address, sender_id, created_at }) => ({
      ...{ id, created_at },
      shown: {
        ...{ address, channel: 'sms', origin: 'opt_out', scope: 'all' },
        ...{ sender_id, created_at },
      },
    }));
  }

  private async listAddresses(
    workspaceId: WorkspaceId,
    limit: number,
    before: Position | null,
  ): Promise<Entry[]> {
    const found = await this.addresses.list(workspaceId, limit, before);
    return found.map((entry) => ({
      ...{ id: entry.id, created_at: entry.created_at },
      shown: ofAddress(entry),
    }));
  }
}

function ofAddress(entry: EmailSuppression): EmailAddressSuppression {
  const { address, origin, scope, created_at } = entry;
  return { address, channel: 'email', origin, scope, created_at };
}

/** Sorts as the stores do. */
function newestFirst(one: Position, other: Position): number {
  const [a, b] = [`${one.created_at} ${one.id}`, `${other.created_at} ${other.id}`];
  return a < b ? 1 : -1;
}

function senderIdOfEmail(): ApiError {
  const message = ERROR_MESSAGES.senderIdOfEmail;
  return new ApiError('validation_error', { field: 'sender_id', message });
}

/** Reads a bare address, because an entry has no name. */
function readAddress(given: string): string {
  const address = bareAddress(given);
  if (address !== null) return address;
  const message = inputMessage('address', 'emailAddress');
  throw new ApiError('validation_error', { field: 'address', message });
}

/** Returns the address as entries store it, or null. */
function bareAddress(given: string): string | null {
  const parsed = parseMailbox(given);
  return parsed.ok && parsed.mailbox.name === null ? parsed.mailbox.address.toLowerCase() : null;
}

function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const position = cursors.read(cursor);
  if (position === undefined) throw badCursor();
  return { created_at: position.createdAt, id: position.id };
}
