import type { BillingCalls, DispatchCalls, SendMessage } from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';

export interface OtpDestination {
  workspaceId: string;
  e164: string;
  testMode: boolean;
}

/**
 * Where one-time passwords went, which a verification must know before it may count. It never
 * changes, so what was sent or asked for through this process is remembered, and most verifications
 * cost one call instead of two.
 */
const REMEMBERED_MAX = 20_000;

export class OtpDestinations {
  private readonly remembered = new BoundedMap<string, OtpDestination>(REMEMBERED_MAX);

  constructor(
    private readonly dispatch: Pick<DispatchCalls, 'getOtpDestination'>,
    private readonly billing: Pick<BillingCalls, 'findAcceptance'>,
  ) {}

  remember(command: SendMessage): void {
    this.remembered.set(command.message_id, {
      workspaceId: command.workspace_id,
      e164: command.destination,
      testMode: command.test_mode,
    });
  }

  /** Null when the workspace has no such one-time password. */
  async find(workspaceId: string, otpId: string): Promise<OtpDestination | null> {
    const known = this.remembered.get(otpId);
    if (known) return known.workspaceId === workspaceId ? known : null;
    const asked = { workspace_id: workspaceId, otp_id: otpId };
    const { destination, test_mode: testMode } = await this.dispatch.getOtpDestination(asked);
    if (destination !== null) {
      const found = { workspaceId, e164: destination, testMode };
      this.remembered.set(otpId, found);
      return found;
    }
    return this.findAccepted(workspaceId, otpId);
  }

  private async findAccepted(workspaceId: string, otpId: string): Promise<OtpDestination | null> {
    const { command } = await this.billing.findAcceptance({
      workspace_id: workspaceId,
      message_id: otpId,
    });
    if (command?.kind !== 'otp' || command.resend) return null;
    this.remember(command);
    return { workspaceId, e164: command.destination, testMode: command.test_mode };
  }
}
