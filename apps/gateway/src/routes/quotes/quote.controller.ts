import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import {
  CreateSmsBody,
  QuoteAnswer,
  QuoteKind,
  SendOtpBody,
  SendSmsBody,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiateLanguage } from '../../edge/request/language.policy.js';
import { callerOf, sendJson } from '../../edge/request/request-context.js';
import { compileSerializer } from '../../edge/server/serializer.js';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { readClaim } from '../../edge/request/idempotency-claim.js';
import type { SmsWish } from '../../messages/sms/compose-sms.js';
import { wishOfVariantA, wishOfVariantB } from '../../messages/sms/sms-wish.policy.js';
import { QuoteHandler } from '../../messages/quotes/quote.handler.js';

const readKind = compileBody(QuoteKind);
const readOtpBody = compileBody(SendOtpBody);
const readSmsBody = compileBody(SendSmsBody);
const readMessageBody = compileBody(CreateSmsBody);
const writeQuote = compileSerializer(QuoteAnswer);

/** Variant B's body names its number `to`. */
function readSmsWish(body: unknown): SmsWish {
  const isVariantB = typeof body === 'object' && body !== null && 'to' in body;
  return isVariantB ? wishOfVariantB(readMessageBody(body)) : wishOfVariantA(readSmsBody(body));
}

@Controller('v1/quote')
export class QuoteController {
  constructor(@Inject(QuoteHandler) private readonly quotes: QuoteHandler) {}

  @Post()
  async quote(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const { default_language: own } = caller.workspace.settings;
    const language = negotiateLanguage(request.headers['accept-language'], own);
    const { kind } = readKind(request.body);
    const scope = `${caller.mode} POST /v1/quote`;
    const claim = readClaim(request.headers['idempotency-key'], scope, request.body);
    const asking = { language, claim };
    const { answer, replayed } =
      kind === 'otp'
        ? await this.quotes.quoteOtp(caller, readOtpBody(request.body), asking)
        : await this.quotes.quoteSms(caller, readSmsWish(request.body), asking);
    if (replayed) reply.header('idempotent-replayed', 'true');
    sendJson(request, reply, 200, writeQuote(answer));
  }
}
