import { Inject, Injectable } from '@nestjs/common';
import { type BillingCalls, type SendEmailBody } from '@watchword/contracts';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { BILLING } from '../../calls/billing-calls.js';
import { ComposeEmail, refusalsOf } from '../email/compose-email.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import { EMAIL_WORDS } from '../../inputs/send-words.policy.js';
import { answerOf, type QuoteOptions, type Quoted, type Remarks } from './quote.handler.js';
import { gatesOf, quoteRefusal, refusal } from './quote.policy.js';

/** Quotes an email. `segments` is its number of recipients. */
@Injectable()
export class QuoteEmailHandler {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'quote'>,
    private readonly inFlight: InFlightKeys,
    private readonly compose: ComposeEmail,
  ) {}

  async quote(
    caller: Caller,
    body: SendEmailBody,
    { language, claim }: QuoteOptions,
  ): Promise<Quoted> {
    const { workspace, mode } = caller;
    const draft = await this.compose.draft(body);
    const [finding] = await this.compose.find(caller, [draft]);
    const { sender, recipient } = refusalsOf(caller, draft, finding!);
    // No gate covers an address that only test keys send to. That error is the answer itself.
    if (recipient?.type === 'validation_error') throw recipient;
    const { recipients, content } = draft;
    return this.inFlight.during(workspace.id, claim, async () => {
      const remarks: Remarks = {
        country_code: null,
        segments: recipients.length,
        encoding: 'UTF-8',
        rewritten: false,
        body: content.text ?? content.html ?? '',
        gates: gatesOf({ sender_id: refusal(sender), dnd: refusal(recipient) }, language),
        language,
      };
      const result = await this.billing.quote({
        workspace_id: workspace.id,
        test_mode: mode === 'test',
        kind: 'email',
        destination: recipients[0]?.address ?? '',
        country_code: '',
        network: null,
        segments: recipients.length,
        idempotency: claim,
        // The body is left out, because a request that repeats it contains it, up to 10 MiB.
        ...(claim === null ? {} : { remarks: JSON.stringify({ ...remarks, body: '' }) }),
      });
      if (result.verdict !== 'quoted') throw quoteRefusal(result.verdict);
      const { remarks: kept, replayed } = result;
      const { body: said } = remarks;
      const remembered =
        kept === undefined ? remarks : { ...(JSON.parse(kept) as Remarks), body: said };
      const testMode = mode === 'test';
      const means = { testMode, budgetLeft: Infinity, words: EMAIL_WORDS };
      return { answer: answerOf(result, remembered, means), replayed };
    });
  }
}
