import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, QuoteOffer, SendEmailBody } from '@watchword/contracts';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { BILLING } from '../../calls/billing-calls.js';
import { TrialWorkspaces, unconfirmedRefusal } from '../../limits/trial-workspaces.js';
import { ComposeEmail, refusalsOf } from '../email/compose-email.js';
import { EMAIL_WORDS } from '../../inputs/send-words.policy.js';
import { KeyedQuotes } from './keyed-quotes.js';
import { answerOf, type QuoteOptions } from './quote.handler.js';
import { type Quoted, type Remarks, remarksOf } from './quoted.js';
import { gatesOf, quoteRefusal, refusal } from './quote.policy.js';

/** Quotes an email. `segments` is its number of recipients. */
@Injectable()
export class QuoteEmailHandler {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'quote'>,
    private readonly keyed: KeyedQuotes,
    private readonly compose: ComposeEmail,
    private readonly trials: TrialWorkspaces,
  ) {}

  quote(caller: Caller, body: SendEmailBody, options: QuoteOptions): Promise<Quoted> {
    return this.keyed.once(
      caller.workspace.id,
      options.claim,
      () => this.ask(caller, body, options),
      (found, kept) => quotedEmail(caller, found, { ...kept, body: shownText(body) }),
    );
  }

  private async ask(
    caller: Caller,
    body: SendEmailBody,
    { language, claim }: QuoteOptions,
  ): Promise<Quoted> {
    const draft = await this.compose.draft(body);
    const [finding] = await this.compose.find(caller, [draft]);
    const { sender, recipient } = refusalsOf(caller, draft, finding!);
    // No gate covers an address that only test keys send to. That error is the answer itself.
    if (recipient?.type === 'validation_error') throw recipient;
    const { recipients, quoteId } = draft;
    const { mode, workspace } = caller;
    const isTrial = mode === 'live' && (await this.trials.isTrial(workspace));
    const findings = {
      balance: refusal(isTrial ? unconfirmedRefusal(workspace) : null),
      sender_id: refusal(sender),
      dnd: refusal(recipient),
    };
    const remarks: Remarks = {
      country_code: null,
      segments: recipients.length,
      encoding: 'UTF-8',
      rewritten: false,
      body: shownText(body),
      gates: gatesOf(findings, language),
      language,
    };
    const result = await this.billing.quote({
      workspace_id: caller.workspace.id,
      test_mode: caller.mode === 'test',
      kind: 'email',
      destination: recipients[0]?.address ?? '',
      country_code: '',
      network: null,
      segments: recipients.length,
      idempotency: claim,
      ...(quoteId === undefined ? {} : { quote_id: quoteId }),
      // The body is left out, because a request that repeats it contains it, up to 10 MiB.
      ...(claim === null ? {} : { remarks: JSON.stringify({ ...remarks, body: '' }) }),
    });
    if (result.verdict !== 'quoted') throw quoteRefusal(result.verdict);
    return quotedEmail(caller, result, { ...remarksOf(result, remarks), body: remarks.body });
  }
}

function shownText({ text, html }: SendEmailBody): string {
  return text ?? html ?? '';
}

function quotedEmail({ mode }: Caller, priced: QuoteOffer, said: Remarks): Quoted {
  const means = { testMode: mode === 'test', budgetLeft: Infinity, words: EMAIL_WORDS };
  return { answer: answerOf(priced, said, means), replayed: priced.replayed };
}
