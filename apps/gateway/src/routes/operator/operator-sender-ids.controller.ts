import { Controller, Inject } from '@nestjs/common';
import { type Outcome, type PutProtectedSenderIdsBody, routes } from '@watchword/contracts';
import { ProtectedSenderIds } from '../../accounts/sender-ids/protected-sender-ids.js';
import { Body } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Sender IDs that need an approved registration. */
@Controller()
export class OperatorSenderIdsController {
  constructor(@Inject(ProtectedSenderIds) private readonly senderIds: ProtectedSenderIds) {}

  @Operation(routes.getProtectedSenderIds)
  async get(): Promise<Outcome> {
    await this.senderIds.load();
    return { body: { sender_ids: this.senderIds.current } };
  }

  @Operation(routes.putProtectedSenderIds)
  async put(@Body() body: PutProtectedSenderIdsBody): Promise<Outcome> {
    const kept = await this.senderIds.replace(body.sender_ids);
    return { body: { sender_ids: kept }, effect: { sender_ids: kept.length } };
  }
}
