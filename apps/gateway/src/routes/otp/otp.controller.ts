import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  type KeyMode,
  NoBody,
  otpDetails,
  OtpListQuery,
  ResendOtpAnswer,
  SendOtpAnswer,
  SendOtpBody,
  VerifyOtpAnswer,
  VerifyOtpBody,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFUSING } from '../../edge/server/allowed-methods.policy.js';
import { MethodNotAllowed } from '../../edge/filters/error-envelope.policy.js';
import { callerOf, sendJson } from '../../edge/request/request-context.js';
import { compileSerializer } from '../../edge/server/serializer.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { readClaim } from '../../edge/request/idempotency-claim.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { ListMessagesHandler } from '../../messages/list-messages.handler.js';
import { pathId } from '../../accounts/settings/path-id.js';
import { wallsOf } from '../../messages/walls.policy.js';
import { CancelOtpHandler } from '../../messages/otp/cancel-otp.handler.js';
import { checkedOtp, resentOtp, sentOtp } from '../../messages/otp/otp-answers.policy.js';
import { ResendOtpHandler } from '../../messages/otp/resend-otp.handler.js';
import { SendOtpHandler } from '../../messages/otp/send-otp.handler.js';
import { VerifyOtpHandler } from '../../messages/otp/verify-otp.handler.js';

const readSendBody = compileBody(SendOtpBody);
const readVerifyBody = compileBody(VerifyOtpBody);
const readNoBody = compileBody(NoBody);
const readListQuery = compileQuery(OtpListQuery);
const writeSent = compileSerializer(SendOtpAnswer);
const writeResent = compileSerializer(ResendOtpAnswer);
const writeChecked = compileSerializer(VerifyOtpAnswer);

/** `/v1/otp`. The gates have authenticated and counted the request before it comes here. */
@Controller('v1/otp')
export class OtpController {
  constructor(
    @Inject(SendOtpHandler) private readonly sending: SendOtpHandler,
    @Inject(VerifyOtpHandler) private readonly verifying: VerifyOtpHandler,
    @Inject(CancelOtpHandler) private readonly cancelling: CancelOtpHandler,
    @Inject(ResendOtpHandler) private readonly resending: ResendOtpHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
    @Inject(ListMessagesHandler) private readonly lists: ListMessagesHandler,
  ) {}

  @Post('send')
  async send(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const body = readSendBody(request.body);
    const scope = `${caller.mode} POST /v1/otp/send`;
    const claim = readClaim(request.headers['idempotency-key'], scope, body);
    const { command, replayed } = await this.sending.send(caller, body, claim);
    if (replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, writeSent(sentOtp(command)));
  }

  @Post('verify')
  async verify(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const body = readVerifyBody(request.body);
    const scope = `${caller.mode} POST /v1/otp/verify`;
    const claim = readClaim(request.headers['idempotency-key'], scope, body);
    const result = await this.verifying.verify(caller, body, claim);
    if (result.replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, writeChecked(checkedOtp(result)));
  }

  @Post(':id/resend')
  async resend(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const { id, claim } = actionOn(request, caller.mode, 'resend');
    const { command, replayed } = await this.resending.resend(caller, id, claim);
    if (replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, writeResent(resentOtp(command)));
  }

  @Post(':id/cancel')
  async cancel(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const { id, claim } = actionOn(request, caller.mode, 'cancel');
    const { record, replayed } = await this.cancelling.cancel(caller, id, claim);
    if (replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, JSON.stringify(otpDetails(record)));
  }

  /** Not an id, although it stands where one would. */
  @Get(['send', 'verify'])
  @RouteConfig(REFUSING)
  refuseGet(): never {
    throw new MethodNotAllowed(['POST']);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = readListQuery(request.query);
    const page = await this.lists.otps(wallsOf(callerOf(request)), query);
    sendJson(request, reply, 200, JSON.stringify(page));
  }

  @Get(':id')
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    const record = await this.messages.find(wallsOf(callerOf(request)), id, 'otp');
    sendJson(request, reply, 200, JSON.stringify(otpDetails(record)));
  }
}

function actionOn(request: FastifyRequest, mode: KeyMode, action: 'resend' | 'cancel') {
  const id = pathId((request.params as { id: string }).id);
  const body = readNoBody(request.body ?? {});
  const scope = `${mode} POST /v1/otp/${id}/${action}`;
  return { id, claim: readClaim(request.headers['idempotency-key'], scope, body) };
}
