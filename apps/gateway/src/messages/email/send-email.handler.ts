import { Injectable } from '@nestjs/common';
import {
  acceptedEmail,
  ApiError,
  type EmailBatchAnswer,
  EmailBatchItem,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  type Language,
  type SendEmailBatchBody,
  type SendEmailBody,
  type SendMessage,
  type SentEmail,
} from '@watchword/contracts';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { compileBody } from '../../inputs/validation.policy.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import { AcceptSendBatchHandler, type Step } from '../accept-batch.handler.js';
import { AcceptSendHandler, type PreparedSend } from '../accept-send.handler.js';
import { batchAnswer, misfitOf, refuseQuote } from '../batch-answer.policy.js';
import { EMAIL_WORDS } from '../../inputs/send-words.policy.js';
import { ComposeEmail, type DraftEmail } from './compose-email.js';
import { invalid } from './email-inputs.policy.js';

const readItem = compileBody(EmailBatchItem);

export interface EmailBatchRequest {
  readonly body: SendEmailBatchBody;
  readonly claim: IdempotencyClaim | null;
  /** Language of the items' errors. */
  readonly language: Language;
}

/** Sends emails, one or many per request: checked, their contents stored, charged and queued. */
@Injectable()
export class SendEmailHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    private readonly batches: AcceptSendBatchHandler,
    private readonly compose: ComposeEmail,
    private readonly trials: TrialWorkspaces,
  ) {}

  async send(
    caller: Caller,
    body: SendEmailBody,
    claim: IdempotencyClaim | null,
  ): Promise<{ email: SentEmail; replayed: boolean }> {
    const { command, replayed } = await this.acceptance.accept(
      caller.workspace.id,
      claim,
      async () => {
        const draft = await this.compose.draft(body);
        const [finding] = await this.compose.find(caller, [draft]);
        await this.compose.check(caller, draft, finding!);
        const [prepared] = await this.compose.prepare(caller, [draft]);
        return prepared!;
      },
    );
    return { email: sentEmail(command), replayed };
  }

  /** `POST /v1/emails/batch`: each item passes or fails by itself. */
  async sendMany(
    caller: Caller,
    { body, claim, language }: EmailBatchRequest,
  ): Promise<{ answer: EmailBatchAnswer; replayed: boolean }> {
    const options = { claim, language };
    const { id } = caller.workspace;
    const { outcomes, replayed } = await this.batches.accept(id, options, async () => {
      checkItems(body);
      // Unconfirmed trial credits refuse the batch as they refuse a send.
      await this.trials.check(caller);
      return this.prepare(caller, body);
    });
    const answer = batchAnswer(outcomes, {
      shown: (command) => ({ email: sentEmail(command) }),
      unpaid: EMAIL_WORDS.unpaid,
      language,
    });
    return { answer, replayed };
  }

  private async prepare(
    caller: Caller,
    items: readonly object[],
  ): Promise<readonly Step<PreparedSend>[]> {
    const steps: Step<DraftEmail>[] = [];
    for (const item of items) {
      steps.push(await orRefused(() => this.compose.draft(readUnquoted(item))));
    }
    const findings = await this.compose.find(caller, passed(steps));
    for (const [index, draft] of passed(steps).entries()) {
      const refused = await orRefused(() => this.compose.check(caller, draft, findings[index]!));
      if (refused instanceof ApiError) steps[steps.indexOf(draft)] = refused;
    }
    const drafts = passed(steps);
    const prepared = await this.compose.prepare(caller, drafts);
    return steps.map((step) => (step instanceof ApiError ? step : prepared[drafts.indexOf(step)]!));
  }
}

function passed(steps: readonly Step<DraftEmail>[]): DraftEmail[] {
  return steps.filter((step): step is DraftEmail => !(step instanceof ApiError));
}

async function orRefused<Value>(step: () => Promise<Value>): Promise<Step<Value>> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Reads one item as a complete body. */
function readUnquoted(item: object): SendEmailBody {
  refuseQuote(item);
  return readItem(item) as SendEmailBody;
}

/** An item that is no object refuses the whole batch. */
function checkItems(items: readonly unknown[]): void {
  const misfit = misfitOf(items);
  if (misfit !== undefined) throw invalid(String(misfit), INPUT_PROBLEMS.mustBe(['an object']));
}

/** Returns the answer. It uses only the stored command, so a replay returns the same. */
function sentEmail(command: SendMessage): SentEmail {
  const { id, status } = acceptedEmail(command);
  return { id, status };
}
