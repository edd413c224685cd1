import { Injectable } from '@nestjs/common';
import {
  badCursor,
  EMAIL_STATUSES,
  type EmailStatus,
  type FoundMessage,
  isPhoneKind,
  isUuid,
  lowerId,
  type MessageId,
  type Page,
} from '@watchword/contracts';
import { isAddress } from '@watchword/email';
import { summariesWithStatus } from '../emails/email-record.policy.js';
import { EmailSearchStore } from '../emails/email-search.store.js';
import { EmailStore } from '../emails/email.store.js';
import { recordsWithStatus, statesMatching } from '../messages/message-list.policy.js';
import { MessageReads } from '../messages/message-reads.js';
import { MessageSearchStore } from '../messages/message-search.store.js';
import type { Scope } from '../messages/scope.policy.js';
import type { Found, SearchAsked } from '../messages/search-walk.js';
import {
  foundPage,
  NOTHING,
  type Position,
  positionsOf,
  type Side,
  START,
} from './found-page.policy.js';

interface Source {
  readonly page: (asked: SearchAsked, after: string | null) => Promise<Found>;
  readonly read: (ids: readonly MessageId[], status?: string) => Promise<FoundMessage[]>;
}

/** Finds messages of every channel: of a workspace for its members, of all for operators. */
@Injectable()
export class SupportSearchHandler {
  private readonly texts: Source;
  private readonly emails: Source;

  constructor(
    texts: MessageSearchStore,
    private readonly reads: MessageReads,
    emails: EmailSearchStore,
    private readonly emailStore: EmailStore,
  ) {
    this.texts = { page: (...asked) => texts.page(...asked), read: this.readTexts };
    this.emails = { page: (...asked) => emails.page(...asked), read: this.readEmails };
  }

  async search(request: SearchAsked): Promise<Page<FoundMessage>> {
    const { cursor, limit } = request;
    const from = cursor === undefined ? START : positionsOf(cursor);
    if (from === undefined) throw badCursor();
    const [texts, emails] = await Promise.all([
      mayBeText(request) ? sideOf(this.texts, request, from.texts) : NOTHING,
      mayBeEmail(request) ? sideOf(this.emails, request, from.emails) : NOTHING,
    ]);
    return foundPage(texts, emails, limit);
  }

  /** Returns why each attempt of a text failed. Attempts of emails have an error text instead. */
  async attemptReasons(scope: Scope, id: MessageId): Promise<(string | null)[]> {
    const message = isUuid(id) ? await this.reads.readAny(lowerId(id), scope) : null;
    return message?.attempts.map(({ reason }) => reason) ?? [];
  }

  private readonly readTexts: Source['read'] = async (ids, status) => {
    const found = await Promise.all(ids.map((id) => this.reads.readAny(id, undefined)));
    return recordsWithStatus(found, status);
  };

  private readonly readEmails: Source['read'] = async (ids, status) => {
    const found = await this.emailStore.read(ids.map((id) => ({ id })));
    const emails = ids.map((id) => found.get(id) ?? null);
    return summariesWithStatus(emails, status).map((email) => ({ kind: 'email', ...email }));
  };
}

async function sideOf(source: Source, request: SearchAsked, from: Position): Promise<Side> {
  if (from === 'end') return NOTHING;
  const { ids, next } = await source.page(request, from === 'start' ? null : from);
  return { from, records: await source.read(ids, request.status), next };
}

function mayBeText({ to, status, kind }: SearchAsked): boolean {
  return (
    (kind === undefined || isPhoneKind(kind)) &&
    (to === undefined || !isAddress(to)) &&
    (status === undefined || statesMatching(status).length > 0)
  );
}

function mayBeEmail({ to, status, kind }: SearchAsked): boolean {
  if (kind !== undefined && isPhoneKind(kind)) return false;
  const hasStatus = status === undefined || EMAIL_STATUSES.includes(status as EmailStatus);
  return (to === undefined || isAddress(to)) && hasStatus;
}
