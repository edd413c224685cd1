import { Controller, Inject } from '@nestjs/common';
import { type Outcome, type PlatformEmail, routes } from '@watchword/contracts';
import { Operation } from '../../edge/server/operation.decorator.js';
import { PlatformSender } from '../../messages/account-emails/platform-sender.js';

/** The sender of account emails: its domain. */
@Controller()
export class OperatorPlatformEmailController {
  constructor(@Inject(PlatformSender) private readonly sender: PlatformSender) {}

  @Operation(routes.getPlatformEmail)
  async read(): Promise<Outcome<PlatformEmail>> {
    return { body: await this.sender.read() };
  }

  @Operation(routes.verifyPlatformEmail)
  async verify(): Promise<Outcome<PlatformEmail>> {
    const body = await this.sender.verify();
    return { body, effect: { domain: body.domain?.name, status: body.domain?.status } };
  }
}
