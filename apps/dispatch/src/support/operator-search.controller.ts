import { Controller } from '@nestjs/common';
import {
  ApiError,
  type FoundMessage,
  inputMessage,
  isEmail,
  type MessageId,
  type OperatorMessage,
  type OperatorMessageListQuery,
  type Outcome,
  type Page,
  type RevealQuery,
  routes,
  unknownResource,
} from '@watchword/contracts';
import { Id, Operation, Query } from '@watchword/platform';
import { maskReceiver, operatorMessage } from './operator-message.policy.js';
import { SupportSearchHandler } from './support-search.handler.js';
import { readRecipient } from './search-text.policy.js';

type Effect = NonNullable<Outcome['effect']>;

/** Messages of all workspaces, for support. The audit log records each search and what it revealed. */
@Controller()
export class OperatorSearchController {
  constructor(private readonly messages: SupportSearchHandler) {}

  @Operation(routes.searchMessages)
  async list(@Query() query: OperatorMessageListQuery): Promise<Outcome<Page<OperatorMessage>>> {
    const { reveal, reason, to: given, country, ...asked } = query;
    const revealing = revealOf({ reveal, reason });
    const to = given === undefined ? undefined : readRecipient(given, country);
    const page = await this.messages.search({ ...asked, to });
    const { limit: _limit, cursor: _cursor, ...filters } = asked;
    const effect = { ...filters, ...(to !== undefined && { to: maskReceiver(to) }) };
    const data = await Promise.all(page.data.map((found) => this.shown(found, revealing)));
    const body = { ...page, data };
    if (revealing === null) return { body, effect };
    const searched = { ...effect, ...revealing };
    const [first, ...furtherEffects] = revealedIn(page.data);
    return {
      body,
      effect: { ...searched, ...(first ?? { message_ids: [] }) },
      furtherEffects: furtherEffects.map((further) => ({ ...searched, ...further })),
    };
  }

  @Operation(routes.getFoundMessage)
  async find(@Id() id: MessageId, @Query() query: RevealQuery): Promise<Outcome<OperatorMessage>> {
    const revealing = revealOf(query);
    const { data } = await this.messages.search({ id, limit: 1 });
    const [found] = data;
    if (!found) throw unknownResource('message');
    const { workspace_id } = found;
    const body = await this.shown(found, revealing);
    return { body, effect: { workspace_id, message_id: id, ...revealing } };
  }

  private async shown(found: FoundMessage, revealing: Effect | null): Promise<OperatorMessage> {
    const message = operatorMessage(found, revealing !== null);
    if (isEmail(found)) return message;
    const within = { workspaceId: found.workspace_id, testMode: null };
    return { ...message, attempt_reasons: await this.messages.attemptReasons(within, found.id) };
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
