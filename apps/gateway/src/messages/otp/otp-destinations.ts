import { Inject, Injectable } from '@nestjs/common';
import type {
  BillingCalls,
  DispatchCalls,
  MessageId,
  SendMessage,
  WorkspaceId,
} from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { BILLING } from '../../calls/billing-calls.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { type Scope, scopeOf } from '../scope.policy.js';

export interface OtpDestination {
  workspaceId: WorkspaceId;
  e164: string;
  testMode: boolean;
}

/**
 * Destinations of OTPs, which a verification needs before it may count. They never change, so those
 * sent or asked through this process are remembered, and most verifications make one call instead
 * of two.
 */
const REMEMBERED_MAX = 20_000;

@Injectable()
export class OtpDestinations {
  private readonly remembered = new BoundedMap<string, OtpDestination>(REMEMBERED_MAX);

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'getOtpDestination'>,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'findAcceptance'>,
  ) {}

  remember(command: SendMessage): void {
    this.remembered.set(command.message_id, {
      workspaceId: command.workspace_id,
      e164: command.destination,
      testMode: command.test_mode,
    });
  }

  /**
   * Returns null when the caller has no such OTP. A remembered foreign id makes the same calls as
   * an unknown one, so the time of the answer does not distinguish them.
   */
  async find(caller: Caller, otpId: MessageId): Promise<OtpDestination | null> {
    const scope = scopeOf(caller);
    const known = this.remembered.get(otpId);
    if (known?.workspaceId === scope.workspace_id && known.testMode === scope.test_mode)
      return known;
    const asked = { ...scope, otp_id: otpId };
    const { destination, test_mode: testMode } = await this.dispatch.getOtpDestination(asked);
    if (destination !== null) {
      const found = { workspaceId: scope.workspace_id, e164: destination, testMode };
      this.remembered.set(otpId, found);
      return found;
    }
    return this.findAccepted(scope, otpId);
  }

  private async findAccepted(scope: Scope, otpId: MessageId): Promise<OtpDestination | null> {
    const { command } = await this.billing.findAcceptance({ ...scope, message_id: otpId });
    if (!command?.otp) return null;
    this.remember(command);
    const { workspace_id: workspaceId, destination: e164, test_mode: testMode } = command;
    return { workspaceId, e164, testMode };
  }
}
