import { Inject, Injectable } from '@nestjs/common';
import {
  type BillingCalls,
  callRoute,
  type DispatchCalls,
  type FoundOwnMessage,
  isEmail,
  isPhoneKind,
  listedMessage,
  type MessageId,
  type MessagePage,
  type Page,
  REASON_SENTENCES,
  routes,
  unknownResource,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { BILLING } from '../calls/billing-calls.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { OWNERS, type Owners } from '../calls/owners.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import { acceptedRecord } from './accepted-record.policy.js';
import { ReadEmailsHandler } from './email/read-emails.handler.js';
import { bothModes } from './scope.policy.js';

type Billing = Pick<BillingCalls, 'findAcceptance' | 'listMessageEntries'>;

/** A message of a workspace with what dispatch, billing and webhooks know of it. */
@Injectable()
export class OwnMessagesHandler {
  constructor(
    @Inject(OWNERS) private readonly owners: Pick<Owners, 'dispatch'>,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getAttemptReasons'>,
    @Inject(BILLING) private readonly billing: Billing,
    @Inject(WEBHOOKS) private readonly webhooks: Pick<WebhooksCalls, 'listMessageEvents'>,
    @Inject(ReadEmailsHandler) private readonly emails: Pick<ReadEmailsHandler, 'get'>,
  ) {}

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
    const asked = { workspace_id: workspaceId, query: { q: id, limit: 1 } };
    const { dispatch } = this.owners;
    const page = await callRoute<Page<FoundOwnMessage>>(dispatch, routes.searchOwnMessages, asked);
    const found = page.body?.data[0];
    if (found && !isEmail(found)) return found;
    if (found) return this.email(workspaceId, id);
    const scope = bothModes(workspaceId);
    const { command } = await this.billing.findAcceptance({ ...scope, message_id: id });
    if (!command || command.resend) throw unknownResource('message');
    return isPhoneKind(command.kind)
      ? listedMessage(acceptedRecord(command))
      : this.email(workspaceId, id);
  }

  private async email(workspaceId: WorkspaceId, id: MessageId): Promise<MessagePage['message']> {
    return { kind: 'email', ...(await this.emails.get(bothModes(workspaceId), id)) };
  }
}

function meaningOf(reason: string | null): string | null {
  if (reason === null || !Object.hasOwn(REASON_SENTENCES, reason)) return null;
  return REASON_SENTENCES[reason as keyof typeof REASON_SENTENCES];
}
