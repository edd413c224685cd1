import { Inject, Injectable } from '@nestjs/common';
import {
  badCursor,
  type BillingCalls,
  type DispatchCalls,
  emailResource,
  type FoundMessage,
  type FoundOwnMessage,
  isPhoneKind,
  type MessageId,
  type MessagePage,
  type MessageSearchQuery,
  type Page,
  REASON_SENTENCES,
  unknownResource,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { existingWorkspace } from '../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { isEmail, listedMessage } from '../channels/channels.js';
import { acceptedRecord } from './accepted-record.policy.js';
import { ReadEmailsHandler } from './email/read-emails.handler.js';
import { readInstant } from './message-filters.policy.js';
import { RecentSends } from './recent-sends.js';
import { bothModes } from './scope.policy.js';
import { namedBy } from './written-receiver.policy.js';

type Dispatch = Pick<DispatchCalls, 'searchMessages' | 'getAttemptReasons'>;
type Billing = Pick<BillingCalls, 'findAcceptance' | 'listMessageEntries'>;

/** A workspace's messages of every channel and both modes, for the pages of the dashboard. */
@Injectable()
export class OwnMessagesHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Dispatch,
    @Inject(BILLING) private readonly billing: Billing,
    @Inject(WEBHOOKS) private readonly webhooks: Pick<WebhooksCalls, 'listMessageEvents'>,
    @Inject(ReadEmailsHandler) private readonly emails: Pick<ReadEmailsHandler, 'get'>,
    @Inject(RecentSends)
    private readonly recent: Pick<RecentSends, 'arrival' | 'arrivalOfEmails'>,
    private readonly workspaces: WorkspaceStore,
  ) {}

  async search(
    workspaceId: WorkspaceId,
    query: MessageSearchQuery,
  ): Promise<Page<FoundOwnMessage>> {
    const { q, limit, cursor, kind, status, test_mode } = query;
    const named = q === undefined ? {} : namedBy(q, await this.countryOf(workspaceId));
    const asked = {
      ...{ limit, cursor, kind, status, test_mode },
      ...named,
      workspace_id: workspaceId,
      emails: true,
      created_after: readInstant(query.created_after, 'created_after'),
      created_before: readInstant(query.created_before, 'created_before'),
    };
    // Later pages continue from the last row of this one.
    if (cursor === undefined) await this.arrivals(workspaceId, kind);
    const page = await this.dispatch.searchMessages(asked);
    if ('verdict' in page) throw badCursor();
    return { ...page, data: page.data.map(shown) };
  }

  /** Everything about one message, read once. */
  async page(workspaceId: WorkspaceId, id: MessageId): Promise<MessagePage> {
    const message = await this.find(workspaceId, id);
    const resends = 'resends' in message ? (message.resends ?? []) : [];
    const charged = [id, ...resends.map(({ resend_id }) => resend_id as MessageId)];
    const [{ reasons }, entries, events] = await Promise.all([
      this.dispatch.getAttemptReasons({ ...bothModes(workspaceId), message_id: id }),
      this.billing.listMessageEntries({ workspace_id: workspaceId, message_ids: charged }),
      this.webhooks.listMessageEvents({ workspace_id: workspaceId, message_id: id }),
    ]);
    const attempts = message.provider_attempts.map((attempt, index) => {
      const reason = reasons[index] ?? null;
      return {
        ...attempt,
        provider_message_id: attempt.provider_message_id ?? null,
        error_code: attempt.error_code ?? null,
        error_message: attempt.error_message ?? null,
        reason,
        meaning: meaningOf(reason),
      };
    });
    return { message, attempts, entries: entries.data, events: events.data };
  }

  private async find(workspaceId: WorkspaceId, id: MessageId): Promise<MessagePage['message']> {
    const asked = { workspace_id: workspaceId, id, limit: 1, emails: true };
    const page = await this.dispatch.searchMessages(asked);
    const [found] = 'verdict' in page ? [] : page.data;
    if (found && !isEmail(found)) return listedMessage(found);
    if (found) return this.email(workspaceId, id);
    const walls = bothModes(workspaceId);
    const { command } = await this.billing.findAcceptance({ ...walls, message_id: id });
    if (!command || command.resend) throw unknownResource('message');
    return isPhoneKind(command.kind)
      ? listedMessage(acceptedRecord(command))
      : this.email(workspaceId, id);
  }

  private async email(workspaceId: WorkspaceId, id: MessageId): Promise<MessagePage['message']> {
    return { kind: 'email', ...(await this.emails.get(bothModes(workspaceId), id)) };
  }

  private async arrivals(workspaceId: WorkspaceId, kind: MessageSearchQuery['kind']) {
    const walls = bothModes(workspaceId);
    const isPhone = kind !== undefined && isPhoneKind(kind);
    await Promise.all([
      kind === undefined || isPhone
        ? this.recent.arrival(walls, isPhone ? kind : undefined)
        : undefined,
      isPhone ? undefined : this.recent.arrivalOfEmails(walls),
    ]);
  }

  private async countryOf(workspaceId: WorkspaceId): Promise<string> {
    return (await existingWorkspace(this.workspaces, workspaceId)).billingCountry;
  }
}

function meaningOf(reason: string | null): string | null {
  if (reason === null || !Object.hasOwn(REASON_SENTENCES, reason)) return null;
  return REASON_SENTENCES[reason as keyof typeof REASON_SENTENCES];
}

function shown(found: FoundMessage): FoundOwnMessage {
  return isEmail(found) ? { ...emailResource(found), kind: 'email' } : listedMessage(found);
}
