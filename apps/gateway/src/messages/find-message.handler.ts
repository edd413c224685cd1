import { Inject, Injectable } from '@nestjs/common';
import {
  type BillingCalls,
  type DispatchCalls,
  type MessageId,
  type MessageRecord,
  type PhoneKind,
  unknownResource,
} from '@watchword/contracts';
import { BILLING } from '../calls/billing-calls.js';
import { acceptedRecord } from './accepted-record.policy.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import type { Scope } from './scope.policy.js';

/**
 * Finds a message within the scope of the caller. Dispatch has the messages that reached it. A
 * message that was just accepted is known only to billing; it shows as pending, because its id was
 * already returned.
 */
@Injectable()
export class FindMessageHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getMessage'>,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'findAcceptance'>,
  ) {}

  async find(scope: Scope, id: MessageId, kind: PhoneKind): Promise<MessageRecord> {
    const asked = { ...scope, message_id: id };
    const { message } = await this.dispatch.getMessage({ ...asked, kind });
    if (message) return message;
    const { command } = await this.billing.findAcceptance(asked);
    if (command && command.kind === kind && !command.resend) return acceptedRecord(command);
    throw unknownResource(kind);
  }
}
