import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  ApiError,
  ERROR_MESSAGES,
  INPUT_PROBLEMS,
  inputMessage,
  routes,
} from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicPriceListCache } from '../../billing/price-list.cache.js';
import { checkOrigin } from '../../edge/guards/session.guard.js';
import { negotiateLanguage } from '../../edge/request/language.policy.js';
import {
  callerOf,
  contextOf,
  noteErrorType,
  addRemaining,
} from '../../edge/request/request-context.js';
import { inspect } from '../../edge/server/json-body.policy.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { FindMessageHandler } from '../../messages/find-message.handler.js';
import { SendOtpHandler } from '../../messages/otp/send-otp.handler.js';
import { VerifyCodeHandler } from '../../messages/otp/verify-otp.handler.js';
import { refusalBy } from '../../messages/quotes/quote.policy.js';
import { QuoteHandler } from '../../messages/quotes/quote.handler.js';
import { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { publicAddressOf } from '../../edge/filters/error-envelope.policy.js';
import type { AgentEndpoint } from './agent-endpoint.js';
import type { AgentCall, AgentHandlers } from './agent-tools.js';

/** `/mcp`, the Model Context Protocol for agents. This file has only its transport. */
@Controller()
export class McpController {
  private readonly handlers: AgentHandlers;
  private opening: Promise<AgentEndpoint> | undefined;

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(SendOtpHandler) sendOtp: SendOtpHandler,
    @Inject(VerifyCodeHandler) verifyOtp: VerifyCodeHandler,
    @Inject(SendSmsHandler) sendSms: SendSmsHandler,
    @Inject(FindMessageHandler) messages: FindMessageHandler,
    @Inject(QuoteHandler) quotes: QuoteHandler,
    @Inject(PublicPriceListCache) prices: PublicPriceListCache,
  ) {
    this.handlers = { sendOtp, verifyOtp, sendSms, messages, quotes, prices };
  }

  @Operation(routes.callAgentTool)
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    checkOrigin(request, this.platform.config.trustedProxies);
    const { message, fault } = messageIn(request.body);
    const call = callOf(request, fault);
    if (call.refusal && message.method !== 'tools/call') throw call.refusal;
    this.opening ??= openEndpoint(this.handlers, this.platform);
    const endpoint = await this.opening;
    const response = await endpoint.answer(request.raw, message, call);
    addRemaining(request, reply);
    const contentType = response.headers.get('content-type');
    if (contentType !== null) reply.header('content-type', contentType);
    reply.code(response.status).send(await response.text());
  }
}

/** Loads the protocol at the first call: it is large, and many installations have no agents. */
async function openEndpoint(
  handlers: AgentHandlers,
  { logger, config }: Platform,
): Promise<AgentEndpoint> {
  const { AgentEndpoint } = await import('./agent-endpoint.js');
  const { AgentTools } = await import('./agent-tools.js');
  return new AgentEndpoint(new AgentTools(handlers), logger, publicAddressOf(config));
}

interface Message {
  method?: unknown;
  params?: { arguments?: unknown } | null;
}

/**
 * Returns the one message of a request. Each message counts against the limits. Arguments that may
 * not go further, because of a NUL for example, are left out.
 */
function messageIn(body: unknown): { message: Message; fault?: ApiError | undefined } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('validation_error', { message: ERROR_MESSAGES.oneMessageOnly });
  }
  const message = body as Message;
  const { params } = message;
  const fault = refusalBy(() => inspect(params?.arguments)) ?? misfit(message);
  // Programs without arguments send null, or an empty list. The protocol's library takes objects only.
  const isPlain = !fault && isObject(params?.arguments ?? {});
  if (isPlain && params?.arguments !== null) return { message };
  return {
    message: { ...message, params: { ...params, arguments: {} } },
    ...(fault && { fault }),
  };
}

function misfit({ method, params }: Message): ApiError | undefined {
  const given = params?.arguments ?? {};
  const isEmptyList = Array.isArray(given) && given.length === 0;
  if (method !== 'tools/call' || isObject(given) || isEmptyList) return undefined;
  const message = inputMessage('arguments', INPUT_PROBLEMS.mustBe(['an object']));
  return new ApiError('validation_error', { field: 'arguments', message });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function callOf(request: FastifyRequest, fault: ApiError | undefined): AgentCall {
  const caller = callerOf(request);
  const { default_language: own } = caller.workspace.settings;
  return {
    caller,
    requestId: request.id,
    language: negotiateLanguage(request.headers['accept-language'], own),
    refusal: contextOf(request)?.limited ?? fault,
    noteErrorType: (type) => noteErrorType(request, type),
  };
}
