import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiError } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, sendJson } from '../../edge/request/request-context.js';
import { answerLedger } from './ledger-answer.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';

/** `/v1/balance` and `/v1/ledger`: one wallet, whichever mode the key has. */
@Controller('v1')
export class LedgerController {
  constructor(@Inject(LedgerHandler) private readonly ledger: LedgerHandler) {}

  @Get('balance')
  async balance(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const balance = await this.ledger.balance(callerOf(request).workspace.id);
    if (!balance) throw new ApiError('not_found');
    sendJson(request, reply, 200, JSON.stringify(balance));
  }

  @Get('ledger')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answerLedger(request, reply, this.ledger, callerOf(request).workspace.id);
  }
}
