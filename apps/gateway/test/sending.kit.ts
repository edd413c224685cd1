import { openGateway, type TestGateway, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';

export const NUMBER = '+2348031234567';

/** A gateway and a workspace without limits, and how its sends are made. */
export class SendingGateway {
  private constructor(
    readonly gateway: TestGateway,
    readonly workspace: WorkspaceKeys,
  ) {}

  static async open(): Promise<SendingGateway> {
    const gateway = await openGateway();
    await gateway.operator('PATCH', '/settings', {
      limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
    });
    return new SendingGateway(gateway, await gateway.newWorkspace(UNLIMITED));
  }

  sendOtp(body: unknown, headers = {}, key = this.workspace.live_key) {
    return this.gateway.post('/v1/otp/send', key, body, headers);
  }

  sendSms(body: unknown, headers = {}, key = this.workspace.live_key) {
    return this.gateway.post('/v1/sms/send', key, body, headers);
  }

  /** What billing was last given. */
  lastCommand() {
    return [...this.gateway.billing.commands.values()].at(-1);
  }
}
