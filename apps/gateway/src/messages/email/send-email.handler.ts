import { Injectable } from '@nestjs/common';
import {
  acceptedEmail,
  ApiError,
  type BatchOutcome,
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
import { EmailContents, isRefusal } from './email-contents.js';
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
    private readonly contents: EmailContents,
    private readonly trials: TrialWorkspaces,
  ) {}

  async send(
    caller: Caller,
    body: SendEmailBody,
    claim: IdempotencyClaim | null,
  ): Promise<{ email: SentEmail; replayed: boolean }> {
    const { command, replayed } = await this.storing(
      caller,
      (stored) =>
        this.acceptance.accept(caller.workspace.id, claim, async () => {
          const draft = await this.compose.draft(body);
          const [finding] = await this.compose.find(caller, [draft]);
          await this.compose.check(caller, draft, finding!);
          return stored((await this.compose.prepare(caller, [draft]))[0]!);
        }),
      (result) => (result.replayed ? [] : [result.command]),
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
    const { outcomes, replayed } = await this.storing(
      caller,
      (stored) =>
        this.batches.accept(id, options, async () => {
          checkItems(body);
          // Unconfirmed trial credits refuse the batch as they refuse a send.
          await this.trials.check(caller);
          const steps = await this.prepare(caller, body);
          return steps.map((step) => (step instanceof ApiError ? step : stored(step)));
        }),
      (result) => (result.replayed ? [] : acceptedOf(result.outcomes)),
    );
    const answer = batchAnswer(outcomes, {
      shown: (command) => ({ email: sentEmail(command) }),
      words: EMAIL_WORDS,
      language,
    });
    return { answer, replayed };
  }

  /** Accepts, and deletes the contents that were stored for sends which were not accepted. */
  private async storing<Result>(
    caller: Caller,
    accept: (stored: (prepared: PreparedSend) => PreparedSend) => Promise<Result>,
    acceptedIn: (result: Result) => readonly SendMessage[],
  ): Promise<Result> {
    const hashes = new Set<string>();
    const stored = (prepared: PreparedSend) => {
      hashes.add(prepared.send.email!.content_sha256);
      return prepared;
    };
    try {
      const result = await accept(stored);
      for (const { email } of acceptedIn(result)) hashes.delete(email?.content_sha256 ?? '');
      await this.contents.release(caller, hashes);
      return result;
    } catch (error) {
      if (isRefusal(error)) await this.contents.release(caller, hashes);
      throw error;
    }
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

function acceptedOf(outcomes: readonly BatchOutcome[]): SendMessage[] {
  return outcomes.flatMap((one) => (one.verdict === 'accepted' ? [one.command] : []));
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
