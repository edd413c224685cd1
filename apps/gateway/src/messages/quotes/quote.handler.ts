import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  type Clock,
  type DestinationFinding,
  type DispatchCalls,
  type IdempotencyClaim,
  type Language,
  PHONE_CONTRACTS,
  type PhoneKind,
  type QuoteAnswer,
  type QuoteOffer,
  type ScreenTextRequest,
  type SendOtpBody,
} from '@watchword/contracts';
import { isUnavailable, CLOCK } from '@watchword/platform';
import { type Destination, exampleOtp, measureSegments, rewriteText } from '@watchword/telephony';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { BILLING } from '../../calls/billing-calls.js';
import { type PlacedWindow, sendWindows, trialWindows } from '../../limits/limit-table.policy.js';
import { PrefixGuard } from '../../limits/prefix-guard.js';
import { TrialWorkspaces, unconfirmedRefusal } from '../../limits/trial-workspaces.js';
import { NOTHING_FOUND, DestinationChecks } from '../../registrations/destination-checks.js';
import { RecipientTexts } from '../../registrations/recipient-texts.js';
import { budgetOf, overBudget } from '../budget.policy.js';
import { inNetwork, judgeCountry, parseNumber } from '../destination.policy.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { magicRefusal } from '../magic-refusal.policy.js';
import { readMetadata } from '../metadata.policy.js';
import { PortedNumbers } from '../ported-numbers.js';
import { SendOtpHandler } from '../otp/send-otp.handler.js';
import { type SendWords, VARIANT_A_WORDS } from '../../inputs/send-words.policy.js';
import { questionOf, type SmsRequest, type Templates, textOf } from '../sms/compose-sms.js';
import { readSendAt } from '../sms/send-at.policy.js';
import { antiSpamOf, readSenderId, readSmsText } from '../sms/sms-text.policy.js';
import { scopeOf } from '../scope.policy.js';
import { KeyedQuotes } from './keyed-quotes.js';
import { type Quoted, type Remarks, remarksOf } from './quoted.js';
import {
  antiSpamFinding,
  countryFinding,
  type Findings,
  gatesOf,
  magicFinding,
  quoteRefusal,
  refusal,
  refusalBy,
  remark,
  waits,
} from './quote.policy.js';

/** Options of a quote of any kind. */
export interface QuoteOptions {
  readonly language: Language;
  readonly claim: IdempotencyClaim | null;
  /** Names of variant A by default. */
  readonly words?: SendWords;
}

/** A quote of a text, with the names and the `quote_id` of its body. */
interface TextOptions extends QuoteOptions {
  /** Prices the send as this quote does. */
  readonly quoteId: string | undefined;
}

/** The measured text of a send, and why its content would be refused. */
interface Text {
  readonly body: string;
  readonly encoding: string;
  readonly rewritten: boolean;
  readonly segments: number;
  readonly findings: Findings;
  /** The question for anti-spam. Null where a send would not be judged. */
  readonly screening: ScreenTextRequest | null;
}

/**
 * Quotes a send without counting or charging: with the same rules as the sends. Only what no gate
 * covers refuses the quote itself: a malformed body, or a number that cannot be sent to.
 */
@Injectable()
export class QuoteHandler {
  constructor(
    @Inject(BILLING)
    private readonly billing: Pick<BillingCalls, 'quote' | 'getKeySpending' | 'findFullWindows'>,
    private readonly keyed: KeyedQuotes,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'screenText' | 'findTemplate'>,
    private readonly prefixes: PrefixGuard,
    @Inject(SendOtpHandler) private readonly otps: Pick<SendOtpHandler, 'compose'>,
    private readonly trials: TrialWorkspaces,
    @Inject(RecipientTexts) private readonly texts: Pick<RecipientTexts, 'brandOf'>,
    private readonly checks: DestinationChecks,
    @Inject(PortedNumbers) private readonly ported: Pick<PortedNumbers, 'locate'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  quoteOtp(caller: Caller, body: SendOtpBody, given: QuoteOptions): Promise<Quoted> {
    const options = { ...given, quoteId: body.quote_id };
    return this.once(caller, options, () => this.askForOtp(caller, body, options));
  }

  /** Quotes an SMS of either variant. */
  quoteSms(caller: Caller, request: SmsRequest, given: QuoteOptions): Promise<Quoted> {
    const options = { ...given, words: request.words, quoteId: request.quoteId };
    return this.once(caller, options, () => this.askForSms(caller, request, options));
  }

  /** A rule that refuses the quote yields to the answer that its key got before. */
  private once(
    caller: Caller,
    { claim, words = VARIANT_A_WORDS }: QuoteOptions,
    ask: () => Promise<Quoted>,
  ): Promise<Quoted> {
    return this.keyed.once(caller.workspace.id, claim, ask, async (found, kept) => {
      const testMode = caller.mode === 'test';
      const means = { testMode, budgetLeft: await this.budgetLeft(caller), words };
      return { answer: answerOf(found, kept, means), replayed: true };
    });
  }

  private async askForOtp(
    caller: Caller,
    body: SendOtpBody,
    options: TextOptions,
  ): Promise<Quoted> {
    const testMode = caller.mode === 'test';
    const destination = parseNumber(body.phone_number, 'otp', testMode);
    const brand = await this.texts.brandOf(caller.workspace);
    const workspace = { ...caller.workspace, brand };
    const { otp } = this.otps.compose(workspace, body, destination, testMode);
    if (!otp) throw new Error('a one-time password was composed without its content');
    const example = exampleOtp({
      language: otp.language,
      brand: otp.brand,
      codeLength: otp.code_length,
      ttlSeconds: otp.ttl_seconds,
      template: otp.template,
      lastLine: otp.last_line ?? null,
    });
    const text = { ...measured(example), rewritten: false, findings: {}, screening: null };
    const located = testMode
      ? destination
      : await this.ported.locate(caller.workspace.id, destination);
    return this.quote(caller, 'otp', located, text, options);
  }

  private async askForSms(
    caller: Caller,
    request: SmsRequest,
    options: TextOptions,
  ): Promise<Quoted> {
    const { words } = request;
    const destination = parseNumber(request.to, 'sms', caller.mode === 'test', words);
    readMetadata(request.metadata);
    const sendAt = readSendAt(request.sendAt, this.clock.now());
    const { settings } = caller.workspace;
    const {
      text: given,
      field,
      templateId,
    } = textOf(request, await this.templatesOf(caller, request));
    const rewriting = settings.sms_rewriting ? 'standard' : 'off';
    const { text, rewritten } = rewriteText(given, rewriting);
    const unreadable = refusal(refusalBy(() => readSmsText(given, settings, field)));
    const { network, ...found } = await this.destinationFindings(
      caller,
      request,
      destination,
      sendAt,
    );
    const findings: Findings = { ...found, content: unreadable ?? found.content };
    const isRefused = findings.sender_id?.verdict === 'refuse';
    const senderId = isRefused ? null : (request.from ?? null);
    const antiSpam = antiSpamOf(settings, { senderId, templateId, text });
    const toBeJudged = antiSpam !== 'off' && findings.content?.verdict !== 'refuse';
    const screening = toBeJudged
      ? {
          text,
          country_code: destination.countryCode,
          sender_id: senderId,
          anti_spam: antiSpam,
        }
      : null;
    const measuredText = { ...measured(text), rewritten, findings, screening };
    const located = inNetwork(destination, network);
    return this.quote(caller, 'sms', located, measuredText, options);
  }

  private async templatesOf({ workspace }: Caller, { template }: SmsRequest): Promise<Templates> {
    if (template === undefined) return new Map();
    const asked = { workspace_id: workspace.id, reference: template };
    const { template: found } = await this.dispatch.findTemplate(asked);
    return found === null ? new Map() : new Map([[template, found]]);
  }

  private async destinationFindings(
    { mode, workspace }: Caller,
    { from, words, category }: SmsRequest,
    destination: Destination,
    sendAt: string | null,
  ): Promise<Findings & Partial<Pick<DestinationFinding, 'network'>>> {
    const malformed = refusalBy(() => readSenderId(from, words.sender));
    if (malformed !== null) return { sender_id: refusal(malformed) };
    if (mode === 'test') return {};
    const asked = { from: from ?? null, category, sendAt };
    const question = questionOf(workspace, asked, destination, this.clock.now());
    const { checks } = this;
    const [finding = NOTHING_FOUND] = await checks.find([question], workspace.settings);
    const refused = checks.refusals(question, finding, workspace.settings, words);
    return {
      sender_id: refusal(refused.sender) ?? remark(refused.remark),
      dnd: refusal(refused.destination),
      content: refusal(refused.quiet) ?? remark(waits(finding, destination.countryCode)),
      network: finding.network,
    };
  }

  private async quote(
    caller: Caller,
    kind: PhoneKind,
    destination: Destination,
    text: Text,
    { language, claim, quoteId, words = VARIANT_A_WORDS }: TextOptions,
  ): Promise<Quoted> {
    const { mode, workspace } = caller;
    const testMode = mode === 'test';
    const magic = magicFinding(testMode ? magicRefusal(destination.e164, kind, words) : null);
    const { findings, screening, ...measures } = text;
    const [atDestination, screened, budgetLeft] = await Promise.all([
      this.findingsAt(caller, kind, destination, words),
      this.screened(screening),
      this.budgetLeft(caller),
    ]);
    const network = destination.network?.token;
    const remarks: Remarks = {
      country_code: destination.countryCode,
      ...(network === undefined ? {} : { network }),
      ...measures,
      gates: gatesOf({ ...findings, ...screened, ...atDestination, ...magic }, language),
      language,
    };
    const result = await this.billing.quote({
      workspace_id: workspace.id,
      test_mode: testMode,
      kind,
      destination: destination.e164,
      country_code: destination.countryCode,
      network: network ?? null,
      segments: Math.max(1, text.segments),
      idempotency: claim,
      ...(quoteId === undefined ? {} : { quote_id: quoteId }),
      ...(claim === null ? {} : { remarks: JSON.stringify(remarks) }),
    });
    if (result.verdict !== 'quoted') throw quoteRefusal(result.verdict);
    const answer = answerOf(result, remarksOf(result, remarks), { testMode, budgetLeft, words });
    return { answer, replayed: result.replayed };
  }

  /** Returns the credits that the agent key may still spend today; Infinity without a budget. */
  private async budgetLeft(caller: Caller): Promise<number> {
    const budget = budgetOf(caller);
    if (!budget) return Infinity;
    const { key_id, daily_credits: daily } = budget;
    const spending = await this.billing.getKeySpending({ ...scopeOf(caller), key_id });
    return daily - spending.credits;
  }

  /** Asks dispatch to judge the text. The quote does not fail when dispatch is unavailable. */
  private async screened(request: ScreenTextRequest | null): Promise<Findings> {
    if (request === null) return {};
    try {
      return antiSpamFinding((await this.dispatch.screenText(request)).action);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return antiSpamFinding('unknown');
    }
  }

  /** Checks country, prefix and limits. In test mode only an agent key's country list applies. */
  private async findingsAt(
    caller: Caller,
    kind: PhoneKind,
    { e164, countryCode }: Destination,
    words: SendWords,
  ): Promise<Findings> {
    const { workspace, mode } = caller;
    const country = countryFinding(judgeCountry(caller, countryCode, words));
    if (mode === 'test') return country;
    const { isPumped } = PHONE_CONTRACTS[kind];
    const { limits: own } = workspace.settings;
    const isTrial = await this.trials.isTrial(workspace);
    const refused = isTrial ? unconfirmedRefusal(workspace) : null;
    await this.prefixes.current();
    const throttle = isPumped ? this.prefixes.throttle(workspace.id, e164) : [];
    const blocked = refusalBy(() => this.prefixes.check(workspace.id, e164, words.number));
    const shared = isPumped && isTrial ? trialWindows(e164) : [];
    const windows = [...sendWindows(kind, workspace.id, e164, own), ...throttle, ...shared];
    const full = await this.limitRefusals(windows, words);
    return {
      ...country,
      balance: refusal(refused),
      prefix: refusal(blocked ?? full.prefix),
      number_limit: refusal(full.number),
    };
  }

  /** Returns what the first full window of each place says. */
  private async limitRefusals(
    windows: PlacedWindow[],
    { limited }: SendWords,
  ): Promise<Record<PlacedWindow['per'], ApiError | null>> {
    const refusals: Record<PlacedWindow['per'], ApiError | null> = { number: null, prefix: null };
    if (windows.length === 0) return refusals;
    const { retry_after_seconds: full } = await this.billing.findFullWindows({ windows });
    for (const [index, { per }] of windows.entries()) {
      const retryAfterSeconds = full[index] ?? null;
      if (retryAfterSeconds !== null)
        refusals[per] ??= new ApiError(limited, { retryAfterSeconds });
    }
    return refusals;
  }
}

/**
 * Returns the answer. Billing knows the balance, so its gate is judged last, unless another rule
 * refuses there.
 */
export function answerOf(
  { quote_id, expires_at, credits: priced, due = priced, credit_price: price, balance }: QuoteOffer,
  { language, gates, ...said }: Remarks,
  { testMode, budgetLeft, words }: { testMode: boolean; budgetLeft: number; words: SendWords },
): QuoteAnswer {
  const credits = said.segments === 0 ? 0 : priced;
  const needed = testMode ? credits : Math.min(due, credits);
  const isShort = !testMode && (balance ?? 0) < needed;
  const short = refusal(
    isShort ? new ApiError(words.unpaid) : needed > budgetLeft ? overBudget() : null,
  );
  const [found, ...others] = gates;
  const isOpen = found?.verdict === 'pass';
  const [ofBalance] = isOpen && short ? gatesOf({ balance: short }, language) : gates;
  return {
    quote_id,
    expires_at,
    credits,
    price: { amount: price.amount * credits, currency: price.currency },
    ...said,
    gates: ofBalance ? [ofBalance, ...others] : others,
  };
}

/** Measures a text. An empty one is refused at its gate and has no price. */
function measured(body: string): Pick<Text, 'body' | 'encoding' | 'segments'> {
  const { encoding, segments } = measureSegments(body);
  return { body, encoding, segments: body.trim() === '' ? 0 : segments };
}
