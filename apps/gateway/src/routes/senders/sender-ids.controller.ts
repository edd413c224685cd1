import { Controller, Inject } from '@nestjs/common';
import {
  type ChangeSenderBody,
  type IdempotencyClaim,
  type RequestSenderBody,
  routes,
  type SenderId,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { SendersHandler } from '../../registrations/senders.handler.js';

/** `/v1/sender-ids` */
@Controller()
export class SenderIdsController {
  constructor(@Inject(SendersHandler) private readonly senders: SendersHandler) {}

  @Operation(routes.requestSenderId)
  async request(
    @Caller() { workspace }: KeyCaller,
    @Body() body: RequestSenderBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SenderId>> {
    const { sender, replayed } = await this.senders.request(workspace.id, body, claim);
    return { body: sender, replayed };
  }

  @Operation(routes.listSenderIds)
  async list(@Caller() { workspace }: KeyCaller): Promise<Outcome<{ data: SenderId[] }>> {
    return { body: await this.senders.list(workspace.id) };
  }

  @Operation(routes.updateSenderId)
  async change(
    @Caller() { workspace }: KeyCaller,
    @Id() id: string,
    @Body() body: ChangeSenderBody,
  ): Promise<Outcome<SenderId>> {
    return { body: await this.senders.change(workspace.id, id, body) };
  }
}
