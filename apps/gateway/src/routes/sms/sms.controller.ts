import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { SendSmsAnswer, SendSmsBody, smsDetails, SmsListQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFUSING } from '../../edge/server/allowed-methods.policy.js';
import { MethodNotAllowed } from '../../edge/filters/error-envelope.policy.js';
import { callerOf, sendJson } from '../../edge/request/request-context.js';
import { compileSerializer } from '../../edge/server/serializer.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { readClaim } from '../../edge/request/idempotency-claim.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { ListMessagesHandler } from '../../messages/list-messages.handler.js';
import { PriceListCache } from '../../billing/price-list.cache.js';
import { wallsOf } from '../../messages/walls.policy.js';
import { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { sentSms } from '../../messages/sms/sms-answers.policy.js';

const readSendBody = compileBody(SendSmsBody);
const readListQuery = compileQuery(SmsListQuery);
const writeSent = compileSerializer(SendSmsAnswer);

/** `/v1/sms/send` and the record that both variants share. */
@Controller('v1/sms')
export class SmsController {
  constructor(
    @Inject(SendSmsHandler) private readonly sending: SendSmsHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
    @Inject(ListMessagesHandler) private readonly lists: ListMessagesHandler,
    @Inject(PriceListCache) private readonly prices: PriceListCache,
  ) {}

  @Post('send')
  async send(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const body = readSendBody(request.body);
    const scope = `${caller.mode} POST /v1/sms/send`;
    const claim = readClaim(request.headers['idempotency-key'], scope, body);
    const { command, replayed } = await this.sending.sendTransactional(caller, body, claim);
    if (replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, writeSent(sentSms(command)));
  }

  /** Not an id, although it stands where one would. */
  @Get('send')
  @RouteConfig(REFUSING)
  refuseGet(): never {
    throw new MethodNotAllowed(['POST']);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = readListQuery(request.query);
    const page = await this.lists.sms(wallsOf(callerOf(request)), query);
    sendJson(request, reply, 200, JSON.stringify(page));
  }

  @Get(':id')
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    const record = await this.messages.find(wallsOf(callerOf(request)), id, 'sms');
    const { list } = await this.prices.get();
    sendJson(request, reply, 200, JSON.stringify(smsDetails(record, list.credit_price)));
  }
}
