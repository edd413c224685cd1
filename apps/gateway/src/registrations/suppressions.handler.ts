import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type DispatchCalls,
  type EmailAddressSuppression,
  ERROR_MESSAGES,
  type EmailSuppression,
  type IdempotencyClaim,
  inputMessage,
  MomentCursor,
  type Page,
  type Suppression,
  type SuppressionQuery,
  type SuppressionsQuery,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { isAddress, parseMailbox } from '@watchword/email';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';

/** Time and id of the last shown entry. */
const cursors = new MomentCursor('suppressions');

type Calls = Pick<
  DispatchCalls,
  | 'listOptOuts'
  | 'deleteOptOuts'
  | 'suppressAddress'
  | 'listEmailSuppressions'
  | 'unsuppressAddress'
>;

interface Position {
  readonly created_at: string;
  readonly id: string;
}

interface Entry extends Position {
  readonly shown: Suppression;
}

type Asked = Parameters<Calls['listOptOuts']>[0];

/** The suppressions of one channel. */
interface Suppressions {
  list(asked: Asked): Promise<Entry[]>;
  delete(workspaceId: WorkspaceId, address: string, senderId: string | undefined): Promise<void>;
}

/** Numbers that opted out of a sender ID of the workspace, and suppressed email addresses. */
@Injectable()
export class SuppressionsHandler {
  private readonly channels: Readonly<Record<Suppression['channel'], Suppressions>> = {
    sms: {
      list: (asked) => this.optOuts(asked),
      delete: (workspaceId, number, senderId) => this.deleteOptOuts(workspaceId, number, senderId),
    },
    email: {
      list: (asked) => this.addresses(asked),
      delete: async (workspaceId, address, senderId) => {
        if (senderId !== undefined) throw senderIdOfEmail();
        await this.deleteAddress(workspaceId, address, false);
      },
    },
  };

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Calls,
    private readonly inFlight: InFlightKeys,
  ) {}

  async create(
    workspaceId: WorkspaceId,
    given: string,
    idempotency: IdempotencyClaim | null,
  ): Promise<{ suppression: EmailAddressSuppression; replayed: boolean; isNew: boolean }> {
    const address = readAddress(given);
    const asked = { workspace_id: workspaceId, address, idempotency };
    const result = await this.inFlight.during(workspaceId, idempotency, () =>
      this.dispatch.suppressAddress(asked),
    );
    if (result.verdict === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    const { suppression, replayed, verdict } = result;
    return { suppression: suppressionOf(suppression), replayed, isNew: verdict === 'created' };
  }

  async list(
    workspaceId: WorkspaceId,
    { limit, cursor, channel }: SuppressionsQuery,
  ): Promise<Page<Suppression>> {
    const before = positionOf(cursor);
    const asked = { workspace_id: workspaceId, limit: limit + 1, before };
    const lists = channel === undefined ? Object.values(this.channels) : [this.channels[channel]];
    const found = await Promise.all(lists.map((one) => one.list(asked)));
    const entries = found.flat().toSorted(newestFirst);
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    const page: Page<Suppression> = { data: shown.map((entry) => entry.shown) };
    if (entries.length > limit && last) {
      page.next_cursor = cursors.after({ createdAt: last.created_at, id: last.id });
    }
    return page;
  }

  /**
   * Deletes an entry. An address with an at sign is an email address, unless the query names the
   * channel.
   */
  async delete(
    workspaceId: WorkspaceId,
    address: string,
    { channel, sender_id: senderId }: SuppressionQuery,
  ): Promise<void> {
    const meant = channel ?? (isAddress(address) ? 'email' : 'sms');
    await this.channels[meant].delete(workspaceId, address, senderId);
  }

  /** Deletes an entry as an operator, complaints too. */
  async deleteAddress(
    workspaceId: WorkspaceId,
    given: string,
    isByOperator: boolean,
  ): Promise<void> {
    const address = bareAddress(given);
    if (address === null) throw noSuppression();
    const asked = { workspace_id: workspaceId, address, by_operator: isByOperator };
    const { verdict } = await this.dispatch.unsuppressAddress(asked);
    if (verdict === 'not_found') throw noSuppression();
    if (verdict === 'complaint') {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.complaintStays });
    }
  }

  private async deleteOptOuts(
    workspaceId: WorkspaceId,
    destination: string,
    senderId: string | undefined,
  ): Promise<void> {
    const asked = { workspace_id: workspaceId, destination, sender_id: senderId ?? null };
    const { deleted } = await this.dispatch.deleteOptOuts(asked);
    if (deleted === 0) throw noSuppression();
  }

  private async optOuts(asked: Asked): Promise<Entry[]> {
    const { data } = await this.dispatch.listOptOuts(asked);
    return data.map(({ id, address, sender_id, created_at }) => ({
      ...{ id, created_at },
      shown: {
        ...{ address, channel: 'sms', origin: 'opt_out', scope: 'all' },
        ...{ sender_id, created_at },
      },
    }));
  }

  private async addresses(asked: Asked): Promise<Entry[]> {
    const { data } = await this.dispatch.listEmailSuppressions(asked);
    return data.map((entry) => ({
      id: entry.id,
      created_at: entry.created_at,
      shown: suppressionOf(entry),
    }));
  }
}

function suppressionOf(entry: EmailSuppression): EmailAddressSuppression {
  const { address, origin, scope, created_at } = entry;
  return { address, channel: 'email', origin, scope, created_at };
}

/** Sorts as dispatch's lists do. */
function newestFirst(one: Position, other: Position): number {
  const [a, b] = [`${one.created_at} ${one.id}`, `${other.created_at} ${other.id}`];
  return a < b ? 1 : -1;
}

function senderIdOfEmail(): ApiError {
  const message = ERROR_MESSAGES.senderIdOfEmail;
  return new ApiError('validation_error', { field: 'sender_id', message });
}

function noSuppression(): ApiError {
  return unknownResource('suppression');
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
