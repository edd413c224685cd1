import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import {
  AGENT_TOOLS,
  type AgentToolName,
  type ApiError,
  type DryRunAnswer,
  type Language,
  otpDetails,
  smsDetails,
} from '@watchword/contracts';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { pathId } from '../../accounts/settings/path-id.js';
import type { PublicPriceListCache } from '../../billing/price-list.cache.js';
import { compileBody } from '../../inputs/validation.policy.js';
import { readClaim } from '../../edge/request/idempotency-claim.js';
import type { FindMessageHandler } from '../../messages/find-message.handler.js';
import { checkedOtp, sentOtp } from '../../messages/otp/otp-answers.policy.js';
import type { SendOtpHandler } from '../../messages/otp/send-otp.handler.js';
import type { VerifyCodeHandler } from '../../messages/otp/verify-otp.handler.js';
import type { QuoteHandler } from '../../messages/quotes/quote.handler.js';
import type { Quoted } from '../../messages/quotes/quoted.js';
import { AGENT_SMS_WORDS } from '../../inputs/send-words.policy.js';
import type { SendSmsHandler } from '../../messages/sms/send-sms.handler.js';
import { messageOf } from '../../messages/sms/sms-answers.policy.js';
import { smsRequestOfVariantB } from '../../messages/sms/sms-request.policy.js';
import { scopeOf } from '../../messages/scope.policy.js';

/** One HTTP request to the agent endpoint. */
export interface AgentCall {
  readonly caller: Caller;
  readonly requestId: string;
  readonly language: Language;
  /** What refuses every tool call of this request: a limit, or arguments that are bad JSON. */
  readonly refusal: ApiError | undefined;
  /** Notes the type of a tool's error for the request log, because the answer's status is 200. */
  readonly noteErrorType: (type: string) => void;
}

/** The body of a REST success. */
export interface ToolAnswer {
  readonly body: object;
  readonly replayed?: boolean;
}

type Tool = (call: AgentCall, input: unknown) => Promise<ToolAnswer>;

export interface AgentHandlers {
  readonly sendOtp: SendOtpHandler;
  readonly verifyOtp: VerifyCodeHandler;
  readonly sendSms: SendSmsHandler;
  readonly messages: FindMessageHandler;
  readonly quotes: QuoteHandler;
  readonly prices: PublicPriceListCache;
}

const read = {
  get_pricing: compileBody(AGENT_TOOLS.get_pricing.input),
  send_otp: compileBody(AGENT_TOOLS.send_otp.input),
  verify_otp: compileBody(AGENT_TOOLS.verify_otp.input),
  get_otp: compileBody(AGENT_TOOLS.get_otp.input),
  send_sms: compileBody(AGENT_TOOLS.send_sms.input),
  get_sms: compileBody(AGENT_TOOLS.get_sms.input),
};

/** The six tools. Each calls the handler of its REST route, so both have the same rules. */
export class AgentTools {
  private readonly tools: Record<AgentToolName, Tool> = {
    get_pricing: async (_call, input) => {
      read.get_pricing(input);
      const { body } = await this.handlers.prices.get();
      return { body: JSON.parse(body) as object };
    },
    send_otp: (call, input) => this.sendOtp(call, input),
    verify_otp: (call, input) => this.verifyOtp(call, input),
    get_otp: async ({ caller }, input) => {
      const { id } = read.get_otp(input);
      const record = await this.handlers.messages.find(scopeOf(caller), pathId(id, 'otp'), 'otp');
      return { body: otpDetails(record) };
    },
    send_sms: (call, input) => this.sendSms(call, input),
    get_sms: async ({ caller }, input) => {
      const { id } = read.get_sms(input);
      const record = await this.handlers.messages.find(scopeOf(caller), pathId(id, 'sms'), 'sms');
      return { body: smsDetails(record) };
    },
  };

  constructor(private readonly handlers: AgentHandlers) {}

  /** Throws a `ProtocolError` for an unknown tool. Other errors are those of the REST route. */
  async call(name: string, input: unknown, call: AgentCall): Promise<ToolAnswer> {
    if (call.refusal) throw call.refusal;
    return this.tools[toolName(name)](call, input ?? {});
  }

  private async sendOtp(call: AgentCall, input: unknown): Promise<ToolAnswer> {
    const { idempotency_key: key, dry_run: isDryRun, ...body } = read.send_otp(input);
    const { caller } = call;
    if (isDryRun) {
      return dryRun(await this.handlers.quotes.quoteOtp(caller, body, quoteOptions(call)));
    }
    const claim = claimOf(caller, 'send_otp', key, body);
    const { command, replayed } = await this.handlers.sendOtp.send(caller, body, claim);
    return { body: sentOtp(command), replayed };
  }

  private async verifyOtp({ caller }: AgentCall, input: unknown): Promise<ToolAnswer> {
    const { idempotency_key: key, ...body } = read.verify_otp(input);
    const claim = claimOf(caller, 'verify_otp', key, body);
    const result = await this.handlers.verifyOtp.verify(caller, body, claim);
    return { body: checkedOtp(result), replayed: result.replayed };
  }

  private async sendSms(call: AgentCall, input: unknown): Promise<ToolAnswer> {
    const { idempotency_key: key, dry_run: isDryRun, ...body } = read.send_sms(input);
    const { caller } = call;
    if (isDryRun) {
      const request = smsRequestOfVariantB(body, AGENT_SMS_WORDS);
      return dryRun(await this.handlers.quotes.quoteSms(caller, request, quoteOptions(call)));
    }
    const claim = claimOf(caller, 'send_sms', key, body);
    const sending = this.handlers.sendSms.sendMessage(caller, body, claim, AGENT_SMS_WORDS);
    const { command, replayed } = await sending;
    return { body: messageOf(command), replayed };
  }
}

export function toolName(name: string): AgentToolName {
  if (Object.hasOwn(AGENT_TOOLS, name)) return name as AgentToolName;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
}

/** The path of the claim is the tool's name. */
function claimOf({ mode }: Caller, tool: AgentToolName, key: string | undefined, body: object) {
  return readClaim(key, `${mode} POST ${tool}`, body);
}

/** A dry run claims no key, so the following send can use it. */
function quoteOptions({ language }: AgentCall) {
  return { language, claim: null };
}

function dryRun({ answer }: Quoted): ToolAnswer {
  const wouldPass = answer.gates.every(({ verdict }) => verdict !== 'refuse');
  const body: DryRunAnswer = { ...answer, would_pass: wouldPass };
  return { body };
}
