import { Controller, Inject } from '@nestjs/common';
import {
  CreateSmsBody,
  type IdempotencyClaim,
  type Language,
  type QuoteAnswer,
  QuoteKind,
  routes,
  SendOtpBody,
  SendSmsBody,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { AnswerLanguage, Caller, Claim, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import type { SmsWish } from '../../messages/sms/compose-sms.js';
import { wishOfVariantA, wishOfVariantB } from '../../messages/sms/sms-wish.policy.js';
import { QuoteHandler } from '../../messages/quotes/quote.handler.js';

const readKind = compileBody(QuoteKind);
const readOtpBody = compileBody(SendOtpBody);
const readSmsBody = compileBody(SendSmsBody);
const readMessageBody = compileBody(CreateSmsBody);

/** Variant B's body names its number `to`. */
function readSmsWish(body: unknown): SmsWish {
  const isVariantB = typeof body === 'object' && body !== null && 'to' in body;
  return isVariantB ? wishOfVariantB(readMessageBody(body)) : wishOfVariantA(readSmsBody(body));
}

@Controller()
export class QuoteController {
  constructor(@Inject(QuoteHandler) private readonly quotes: QuoteHandler) {}

  /** The body is read by kind, so that a wrong field has the name that the send itself gives it. */
  @Operation(routes.createQuote)
  async quote(
    @Caller() caller: KeyCaller,
    @AnswerLanguage() language: Language,
    @RawBody() body: unknown,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<QuoteAnswer>> {
    const { kind } = readKind(body);
    const asking = { language, claim };
    const { answer, replayed } =
      kind === 'otp'
        ? await this.quotes.quoteOtp(caller, readOtpBody(body), asking)
        : await this.quotes.quoteSms(caller, readSmsWish(body), asking);
    return { body: answer, replayed };
  }
}
