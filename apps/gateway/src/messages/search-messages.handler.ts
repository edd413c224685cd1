import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type DispatchCalls,
  type FoundMessage,
  inputMessage,
  type MessageId,
  type OperatorMessage,
  type OperatorMessageListQuery,
  type Outcome,
  type Page,
  type RevealQuery,
  unknownResource,
} from '@watchword/contracts';
import type { Effect } from '../accounts/audit/audit.store.js';
import { PublicPriceListCache } from '../billing/price-list.cache.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { maskReceiver, operatorMessage } from './operator-message.policy.js';
import { namedReceiver } from './written-receiver.policy.js';

/**
 * Messages of all workspaces, for support. The audit log keeps each search and what it revealed.
 */
@Injectable()
export class SearchMessagesHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'searchMessages'>,
    private readonly prices: PublicPriceListCache,
  ) {}

  async list(query: OperatorMessageListQuery): Promise<Outcome<Page<OperatorMessage>>> {
    const { reveal, reason, to: given, country, ...asked } = query;
    const revealing = revealOf({ reveal, reason });
    const to = given === undefined ? undefined : namedReceiver(given, country);
    const page = await this.dispatch.searchMessages({ ...asked, to, emails: true });
    if ('verdict' in page) throw badCursor();
    const { limit: _limit, cursor: _cursor, ...filters } = asked;
    const effect = {
      ...filters,
      ...(to !== undefined && { to: maskReceiver(to) }),
    };
    const body = { ...page, data: await this.shown(page.data, revealing !== null) };
    if (revealing === null) return { body, effect };
    const searched = { ...effect, ...revealing };
    const [first, ...furtherEffects] = revealedIn(page.data);
    return {
      body,
      effect: { ...searched, ...(first ?? { message_ids: [] }) },
      furtherEffects: furtherEffects.map((further) => ({ ...searched, ...further })),
    };
  }

  async find(id: MessageId, query: RevealQuery): Promise<Outcome<OperatorMessage>> {
    const revealing = revealOf(query);
    const page = await this.dispatch.searchMessages({ id, limit: 1, emails: true });
    const records = 'verdict' in page ? [] : page.data;
    const [message] = await this.shown(records, revealing !== null);
    if (!message) throw unknownResource('message');
    const { workspace_id } = message;
    return { body: message, effect: { workspace_id, message_id: id, ...revealing } };
  }

  private async shown(records: FoundMessage[], isRevealed: boolean): Promise<OperatorMessage[]> {
    const { list } = await this.prices.get();
    return records.map((record) => operatorMessage(record, list.credit_price, isRevealed));
  }
}

/** Returns the effect for the audit log. Null when nothing is revealed. */
function revealOf({ reveal, reason = '' }: RevealQuery): Effect | null {
  if (reveal !== true) return null;
  if (reason.trim() !== '') return { revealed: true, reason };
  throw new ApiError('validation_error', {
    field: 'reason',
    message: inputMessage('reason', 'required'),
  });
}

/** Returns an effect for each workspace on a page: its own audit has what was revealed of it. */
function revealedIn(records: FoundMessage[]): Effect[] {
  const messages = Map.groupBy(records, ({ workspace_id }) => workspace_id);
  return [...messages].map(([workspace_id, found]) => ({
    workspace_id,
    message_ids: found.map(({ id }) => id),
  }));
}
