import { Controller, Inject, Req } from '@nestjs/common';
import {
  ApiError,
  type Language,
  type OtpDetails,
  otpDetails,
  type Outcome,
  routes,
} from '@watchword/contracts';
import { writtenDigits } from '@watchword/telephony';
import type { FastifyRequest } from 'fastify';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { TwilioRefusal } from '../../edge/filters/twilio-envelope.policy.js';
import { Caller, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { acceptedRecord } from '../../messages/accepted-record.policy.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { TextLists } from '../../messages/text-lists.js';
import { CancelOtpHandler } from '../../messages/otp/cancel-otp.handler.js';
import { checkedOtp } from '../../messages/otp/otp-answers.policy.js';
import { ResendOtpHandler } from '../../messages/otp/resend-otp.handler.js';
import { SendOtpHandler } from '../../messages/otp/send-otp.handler.js';
import { VerifyCodeHandler } from '../../messages/otp/verify-otp.handler.js';
import { scopeOf } from '../../messages/scope.policy.js';
import {
  type Form,
  INVALID_PARAMETER,
  numberOf,
  readForm,
  refusal,
  required,
} from './twilio-form.policy.js';
import { idOfSid, notFound, sidOf } from './twilio-ids.policy.js';
import { serviceOf, statusOf, verificationOf } from './twilio-verification.policy.js';

const CHANNEL_DISABLED = 60_223;
const MAX_CHECKS = 60_202;
const MAX_SENDS = 60_203;
const METHOD_NOT_ALLOWED = 20_004;
/** Of Twilio Verify. */
const CHANNELS: ReadonlySet<string> = new Set(['sms']);
const CODE = /^.{4,10}$/su;
/** As it is written, with blanks and hyphens. */
const CODE_LENGTH_MAX = 64;

type Path = Record<'service' | 'sid', string>;

/**
 * Twilio Verify over one-time passwords. A workspace has one service. As at Twilio, a number has one
 * verification at a time: sending again before it ended sends the same code again.
 */
@Controller()
export class TwilioVerifyController {
  constructor(
    @Inject(SendOtpHandler) private readonly sending: SendOtpHandler,
    @Inject(ResendOtpHandler) private readonly resending: ResendOtpHandler,
    @Inject(VerifyCodeHandler) private readonly verifying: VerifyCodeHandler,
    @Inject(CancelOtpHandler) private readonly cancelling: CancelOtpHandler,
    @Inject(FindMessageHandler) private readonly messages: FindMessageHandler,
    private readonly lists: TextLists,
  ) {}

  @Operation(routes.listTwilioServices)
  services(@Caller() { workspace }: KeyCaller, @Req() request: FastifyRequest): Outcome {
    const url = addressOf(request);
    const meta = { page: 0, page_size: 50, key: 'services', url, first_page_url: url };
    const page = { ...meta, previous_page_url: null, next_page_url: null };
    const service = serviceOf(workspace, `${url}/${sidOf('VA', workspace.id)}`);
    return { body: { meta: page, services: [service] } };
  }

  @Operation(routes.createTwilioService)
  createService(@Caller() caller: KeyCaller): Outcome {
    throw oneService(caller);
  }

  @Operation(routes.getTwilioService)
  service(@Caller() caller: KeyCaller, @Req() request: FastifyRequest): Outcome {
    checkService(caller, request);
    return { body: serviceOf(caller.workspace, addressOf(request)) };
  }

  @Operation(routes.updateTwilioService)
  updateService(@Caller() caller: KeyCaller, @Req() request: FastifyRequest): Outcome {
    checkService(caller, request);
    throw oneService(caller);
  }

  @Operation(routes.createTwilioVerification)
  async create(
    @Caller() caller: KeyCaller,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Outcome> {
    checkService(caller, request);
    const form = readForm(body, ['To', 'Channel', 'Locale'], INVALID_PARAMETER);
    const to = numberOf(required(form, 'To', INVALID_PARAMETER));
    const channel = required(form, 'Channel', INVALID_PARAMETER);
    if (!CHANNELS.has(channel)) {
      const message = `Delivery channel disabled: ${channel.slice(0, 32)}. Only sms is served.`;
      throw new TwilioRefusal('validation_error', CHANNEL_DISABLED, { message });
    }
    const language = languageOf(form.get('Locale'));
    const current = await this.newest(caller, to);
    const url = addressOf(request);
    if (current && statusOf(current) === 'pending') {
      return { body: await this.again(caller, current, `${url}/${sidOf('VE', idOf(current))}`) };
    }
    const sent = await inVerifyWords(() =>
      this.sending.send(caller, { phone_number: to, ...(language && { language }) }, null),
    );
    const accepted = otpDetails(acceptedRecord(sent.command));
    return { body: verificationOf(accepted, `${url}/${sidOf('VE', sent.command.message_id)}`) };
  }

  @Operation(routes.getTwilioVerification)
  async fetch(@Caller() caller: KeyCaller, @Req() request: FastifyRequest): Promise<Outcome> {
    return { body: verificationOf(await this.pending(caller, request), addressOf(request)) };
  }

  @Operation(routes.updateTwilioVerification)
  async update(
    @Caller() caller: KeyCaller,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Outcome> {
    const current = await this.pending(caller, request);
    const form = readForm(body, ['Status'], INVALID_PARAMETER);
    if (required(form, 'Status', INVALID_PARAMETER) !== 'canceled') {
      throw refusal(INVALID_PARAMETER, 'Invalid parameter: Status. Only canceled is served.');
    }
    const { record } = await this.cancelling.cancel(caller, idOf(current), null);
    return { body: verificationOf(otpDetails(record), addressOf(request)) };
  }

  @Operation(routes.checkTwilioVerification)
  async check(
    @Caller() caller: KeyCaller,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Outcome> {
    checkService(caller, request);
    const form = readForm(body, ['To', 'VerificationSid', 'Code'], INVALID_PARAMETER);
    const code = required(form, 'Code', INVALID_PARAMETER);
    if (code.length > CODE_LENGTH_MAX || !CODE.test(writtenDigits(code))) {
      throw refusal(INVALID_PARAMETER, 'Invalid parameter: Code has 4 to 10 characters.');
    }
    const otp = await this.named(caller, form);
    if (!otp) throw notFound(pathOf(request));
    if (statusOf(otp) === 'max_attempts_reached') throw maxChecks();
    if (statusOf(otp) !== 'pending') throw notFound(pathOf(request));
    const { valid } = checkedOtp(await this.guess(caller, otp, code, pathOf(request)));
    const { url: _url, send_code_attempts: _attempts, ...checked } = verificationOf(otp, '');
    const status = valid ? 'approved' : 'pending';
    return { body: { ...checked, status, valid, sna_attempts_error_codes: [] } };
  }

  private async guess(caller: KeyCaller, otp: OtpDetails, code: string, path: string) {
    try {
      return await this.verifying.verify(caller, { otp_id: idOf(otp), code }, null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.type === 'max_attempts_exceeded') throw maxChecks();
      if (error.status === 409 && error.retryAfterSeconds === undefined) throw notFound(path);
      throw error;
    }
  }

  private async again(caller: KeyCaller, current: OtpDetails, url: string) {
    try {
      const { command } = await this.resending.resend(caller, idOf(current), null);
      const sentNow = { resend_id: command.message_id, created_at: command.created_at };
      const { resends = [] } = current;
      return verificationOf({ ...current, resends: [...resends, sentNow] }, url);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) throw maxSends();
      throw inWordsOfVerify(error);
    }
  }

  /** Returns the pending verification that a path names by its id or by its number. */
  private async pending(caller: KeyCaller, request: FastifyRequest): Promise<OtpDetails> {
    checkService(caller, request);
    const { sid } = request.params as Path;
    const found = sid.startsWith('VE')
      ? await this.bySid(caller, sid)
      : await this.newest(caller, numberOf(sid));
    if (!found || statusOf(found) !== 'pending') throw notFound(pathOf(request));
    return found;
  }

  /** Returns the verification that a check names. With both its id and a number, it must be to that number. */
  private async named(caller: KeyCaller, form: Form): Promise<OtpDetails | undefined> {
    const sid = form.get('VerificationSid');
    if (!sid) return this.newest(caller, numberOf(required(form, 'To', INVALID_PARAMETER)));
    const otp = await this.bySid(caller, sid);
    const to = form.get('To');
    return to && otp?.phone_number !== numberOf(to) ? undefined : otp;
  }

  private async newest(caller: KeyCaller, to: string): Promise<OtpDetails | undefined> {
    if (!/^\+\d{8,15}$/.test(to)) {
      throw refusal(
        INVALID_PARAMETER,
        'Invalid parameter `To`: a number in E.164, as +2348031234567.',
      );
    }
    const query = { to, limit: 1 };
    const { data } = await this.lists.page<OtpDetails>(scopeOf(caller), routes.listOtps, query);
    return data[0];
  }

  private async bySid(caller: KeyCaller, sid: string): Promise<OtpDetails | undefined> {
    const id = idOfSid('VE', sid);
    if (id === undefined) return undefined;
    try {
      return await this.details(caller, id);
    } catch (error) {
      if (error instanceof ApiError && error.type === 'not_found') return undefined;
      throw error;
    }
  }

  private async details(caller: KeyCaller, id: ReturnType<typeof idOf>): Promise<OtpDetails> {
    return otpDetails(await this.messages.find(scopeOf(caller), id, 'otp'));
  }
}

function idOf({ id }: OtpDetails) {
  return id as NonNullable<ReturnType<typeof idOfSid>>;
}

function checkService({ workspace }: KeyCaller, request: FastifyRequest): void {
  const { service } = request.params as Path;
  if (service.toLowerCase() === sidOf('VA', workspace.id).toLowerCase()) return;
  throw notFound(`/v2/Services/${service.slice(0, 64)}`);
}

function oneService({ workspace }: KeyCaller): TwilioRefusal {
  const sid = sidOf('VA', workspace.id);
  const message = `A workspace has one service, ${sid}; its settings are those of the workspace.`;
  return new TwilioRefusal('validation_error', METHOD_NOT_ALLOWED, { message, status: 405 });
}

/** Returns the language of a locale such as `fr` or `en-GB`. An empty one is none, as at Twilio. */
function languageOf(locale: string | undefined): Language | undefined {
  if (!locale) return undefined;
  const [language] = locale.toLowerCase().split(/[-_]/);
  if (language === 'en' || language === 'fr') return language;
  throw refusal(INVALID_PARAMETER, 'Invalid parameter: Locale. Served are en and fr.');
}

async function inVerifyWords<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw inWordsOfVerify(error);
  }
}

/** Errors that Verify names otherwise than Messaging does. */
function inWordsOfVerify(error: unknown): unknown {
  if (!(error instanceof ApiError) || error instanceof TwilioRefusal) return error;
  const { type, field, message, retryAfterSeconds } = error;
  if (type === 'country_not_enabled') return new TwilioRefusal(type, 60_605, { message });
  if (type === 'rate_limited') {
    const again = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return new TwilioRefusal(type, MAX_SENDS, { message: 'Max send attempts reached', ...again });
  }
  if (field !== 'phone_number') return error;
  return refusal(INVALID_PARAMETER, `Invalid parameter: ${message}`);
}

function maxChecks(): TwilioRefusal {
  const message = 'Max check attempts reached';
  return new TwilioRefusal('rate_limited', MAX_CHECKS, { message });
}

function maxSends(): TwilioRefusal {
  return new TwilioRefusal('rate_limited', MAX_SENDS, { message: 'Max send attempts reached' });
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]!.slice('/twilio'.length, 200);
}

function addressOf({ protocol, host, url }: FastifyRequest): string {
  return `${protocol}://${host}${url.split('?', 1)[0]!}`;
}
