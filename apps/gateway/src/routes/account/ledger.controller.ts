import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type LedgerQuery, routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';
import { Caller, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { answerLedger } from './ledger-answer.js';

/** `/v1/ledger`: one wallet for both modes. */
@Controller()
export class LedgerController {
  constructor(@Inject(LedgerHandler) private readonly ledger: LedgerHandler) {}

  @Operation(routes.listLedgerEntries)
  list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: KeyCaller,
    @Query() query: LedgerQuery,
  ): Promise<void> {
    return answerLedger(request, reply, this.ledger.of(caller.workspace.id, query));
  }
}
