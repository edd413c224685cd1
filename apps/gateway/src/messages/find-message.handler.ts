import {
  ApiError,
  type BillingCalls,
  type DispatchCalls,
  type MessageRecord,
} from '@watchword/contracts';
import { acceptedRecord } from './accepted-record.policy.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * One message of a workspace. Dispatch knows those that reached it; one that was accepted a moment
 * ago is known to billing only, and shown as pending: nobody is told 404 about an id that was given
 * to them.
 */
export class FindMessageHandler {
  constructor(
    private readonly dispatch: Pick<DispatchCalls, 'getMessage'>,
    private readonly billing: Pick<BillingCalls, 'findAcceptance'>,
  ) {}

  async find(workspaceId: string, id: string, kind: 'otp' | 'sms'): Promise<MessageRecord> {
    if (!UUID.test(id)) throw new ApiError('not_found');
    const messageId = id.toLowerCase();
    const asked = { workspace_id: workspaceId, message_id: messageId };
    const { message } = await this.dispatch.getMessage({ ...asked, kind });
    if (message) return message;
    const { command } = await this.billing.findAcceptance(asked);
    if (command?.kind === kind && !command.resend) return acceptedRecord(command);
    throw new ApiError('not_found');
  }
}
