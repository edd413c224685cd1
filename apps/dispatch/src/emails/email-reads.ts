import { Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  isPhoneKind,
  isUuid,
  lowerId,
  type MessageId,
  type RecentSend,
} from '@watchword/contracts';
import { arrivalOf } from '../messages/arrivals.js';
import { READ_BOUNDS } from '../messages/read-bounds.js';
import type { RecordRef } from '../messages/record-refs.js';
import { isWithin, type Scope } from '../messages/scope.policy.js';
import type { Email } from './email.js';
import { EmailStore } from './email.store.js';

/** Reads that come together are one statement. An email outside the caller's scope is not found. */
@Injectable()
export class EmailReads {
  private readonly batcher: MicroBatcher<RecordRef, Email | null>;

  constructor(private readonly emails: EmailStore) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.email-reads',
      flush: (refs) => this.readMany(refs),
      ...READ_BOUNDS,
    });
  }

  async read(id: MessageId, within: Scope): Promise<Email | null> {
    return isUuid(id) ? this.batcher.submit({ id: lowerId(id), within }) : null;
  }

  /** Waits a bounded time for emails that were just accepted. */
  arrival(sent: readonly RecentSend[], within: Scope): Promise<void> {
    const emails = sent.filter(({ kind }) => !isPhoneKind(kind));
    return arrivalOf(emails, async ({ message_id: id }) => (await this.read(id, within)) !== null);
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }

  private async readMany(refs: readonly RecordRef[]): Promise<(Email | null)[]> {
    const emails = await this.emails.read(refs);
    return refs.map(({ id, within }) => {
      const email = emails.get(id);
      return email && isWithin(email, within) ? email : null;
    });
  }
}
