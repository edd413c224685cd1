import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  BODY_BOUNDS,
  CreateSmsBody,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  knownContract,
  type Language,
  type Outcome,
  type QuoteAnswer,
  QuoteKind,
  routes,
  SendEmailBody,
  SendOtpBody,
  SendSmsBody,
} from '@watchword/contracts';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { AnswerLanguage, Caller, Claim, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { compileBody } from '../../inputs/validation.policy.js';
import type { SmsRequest } from '../../messages/sms/compose-sms.js';
import {
  smsRequestOfVariantA,
  smsRequestOfVariantB,
} from '../../messages/sms/sms-request.policy.js';
import { QuoteEmailHandler } from '../../messages/quotes/quote-email.handler.js';
import { type QuoteOptions, QuoteHandler } from '../../messages/quotes/quote.handler.js';
import type { Quoted } from '../../messages/quotes/quoted.js';

const readKind = compileBody(QuoteKind);
const readOtpBody = compileBody(SendOtpBody);
const readSmsBody = compileBody(SendSmsBody);
const readEmailBody = compileBody(SendEmailBody);
const readMessageBody = compileBody(CreateSmsBody);

/** Reads an SMS. Variant B's body names its number `to`. */
function readSmsRequest(body: unknown): SmsRequest {
  const isVariantB = typeof body === 'object' && body !== null && 'to' in body;
  return isVariantB
    ? smsRequestOfVariantB(readMessageBody(body))
    : smsRequestOfVariantA(readSmsBody(body));
}

function checkBytes(body: unknown): void {
  const { kind } = (body ?? {}) as { kind?: unknown };
  const contract = typeof kind === 'string' ? knownContract(kind) : undefined;
  if (body === undefined || contract?.hasLongBody) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= BODY_BOUNDS.oneMessage.bytesMax) return;
  throw new ApiError('validation_error', { status: 413, message: ERROR_MESSAGES.bodyTooLarge });
}

type Ask = (caller: KeyCaller, body: unknown, options: QuoteOptions) => Promise<Quoted>;

@Controller()
export class QuoteController {
  constructor(
    @Inject(QuoteHandler) private readonly quotes: QuoteHandler,
    @Inject(QuoteEmailHandler) private readonly emails: QuoteEmailHandler,
  ) {}

  private readonly byKind: Readonly<Record<QuoteKind['kind'], Ask>> = {
    otp: (caller, body, options) => this.quotes.quoteOtp(caller, readOtpBody(body), options),
    sms: (caller, body, options) => this.quotes.quoteSms(caller, readSmsRequest(body), options),
    email: (caller, body, options) => this.emails.quote(caller, readEmailBody(body), options),
  };

  /** Reads the body by kind, so a wrong field has the name that the send gives it. */
  @Operation(routes.createQuote)
  async quote(
    @Caller() caller: KeyCaller,
    @AnswerLanguage() language: Language,
    @RawBody() body: unknown,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<QuoteAnswer>> {
    checkBytes(body);
    const { kind } = readKind(body);
    const options = { language, claim };
    const { answer, replayed } = await this.byKind[kind](caller, body, options);
    return { body: answer, replayed };
  }
}
