import { Controller, Inject } from '@nestjs/common';
import { PLATFORM_WORKSPACE_ID, type PlatformEmail, routes } from '@watchword/contracts';
import { maskAddress } from '@watchword/email';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { Address } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { PlatformSender } from '../../messages/account-emails/platform-sender.js';
import { SuppressionsHandler } from '../../registrations/suppressions.handler.js';

/** The sender of account emails: its domain, and the addresses that bounced. */
@Controller()
export class OperatorPlatformEmailController {
  constructor(
    @Inject(PlatformSender) private readonly sender: PlatformSender,
    @Inject(SuppressionsHandler) private readonly suppressions: SuppressionsHandler,
  ) {}

  @Operation(routes.getPlatformEmail)
  async read(): Promise<Outcome<PlatformEmail>> {
    return { body: await this.sender.read() };
  }

  @Operation(routes.verifyPlatformEmail)
  async verify(): Promise<Outcome<PlatformEmail>> {
    const body = await this.sender.verify();
    return { body, effect: { domain: body.domain?.name, status: body.domain?.status } };
  }

  @Operation(routes.deletePlatformSuppression)
  async deleteSuppression(@Address() address: string): Promise<Outcome> {
    await this.suppressions.deleteAddress(PLATFORM_WORKSPACE_ID, address, true);
    return { effect: { address: maskAddress(address) } };
  }
}
