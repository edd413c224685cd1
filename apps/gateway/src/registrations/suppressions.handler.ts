import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type DispatchCalls,
  ERROR_MESSAGES,
  ListCursor,
  type Page,
  type Suppression,
  type SuppressionsQuery,
} from '@watchword/contracts';
import { DISPATCH } from '../messages/dispatch-calls.js';

/** Moment and id of the last entry that was shown. */
const cursors = new ListCursor('suppressions', /^\S+ [0-9a-f-]{36}$/);

type Calls = Pick<DispatchCalls, 'listOptOuts' | 'deleteOptOuts'>;

/** Numbers that opted out of a sender ID of the workspace. */
@Injectable()
export class SuppressionsHandler {
  constructor(@Inject(DISPATCH) private readonly dispatch: Calls) {}

  async list(
    workspaceId: string,
    { limit, cursor }: SuppressionsQuery,
  ): Promise<Page<Suppression>> {
    const asked = { workspace_id: workspaceId, limit: limit + 1, before: positionOf(cursor) };
    const { data } = await this.dispatch.listOptOuts(asked);
    const shown = data.slice(0, limit);
    const last = shown.at(-1);
    const page: Page<Suppression> = {
      data: shown.map(({ address, sender_id, created_at }) => ({
        address,
        channel: 'sms',
        origin: 'opt_out',
        scope: 'all',
        sender_id,
        created_at,
      })),
    };
    if (data.length > limit && last) {
      page.next_cursor = cursors.after(`${last.created_at} ${last.id}`);
    }
    return page;
  }

  async delete(workspaceId: string, destination: string, senderId: string | null): Promise<void> {
    const { deleted } = await this.dispatch.deleteOptOuts({
      workspace_id: workspaceId,
      destination,
      sender_id: senderId,
    });
    if (deleted === 0) throw new ApiError('not_found', { message: ERROR_MESSAGES.noSuppression });
  }
}

function positionOf(cursor: string | undefined): { created_at: string; id: string } | null {
  if (cursor === undefined) return null;
  const [createdAt, id] = (cursors.read(cursor) ?? '').split(' ');
  if (createdAt === undefined || id === undefined || Number.isNaN(Date.parse(createdAt))) {
    throw badCursor();
  }
  return { created_at: createdAt, id };
}
